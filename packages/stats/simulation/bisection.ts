import { Bisection, type VersionRange } from '../src/bisection/bisection.ts';
import { fixedEvidence } from '../src/fixed-evidence.ts';
import { isDifference } from '../src/judgement.ts';
import { SequentialFamily } from '../src/sequential/sequential-family.ts';
import { FIXED_RUNS } from './command.ts';
import { type Estimate, meanOf, shareOf } from './estimate.ts';
import { measurePairs, type Noise } from './noise.ts';
import type { Random } from './random.ts';

/** A list of versions with a change, whose first bad version is at a random place; without one if the effect is 0. */
export interface History {
  /** The number of versions after the good end, with the bad end. */
  readonly versions: number;
  /** The change of the rate from the first bad version on, a fraction. */
  readonly effect: number;
  /** Standard deviation of the rate of a run, as a fraction of the rate. */
  readonly deviation: number;
  readonly noise: Noise;
}

/** How often a rule finds the first bad version, and what that costs. */
export interface SearchResult {
  /** The share of searches that name the planted version, and no other. */
  readonly found: Estimate;
  /** The share of searches that name another one. */
  readonly wrong: Estimate;
  /** The share that names another version, or several without the planted one; with an effect of 0, any. */
  readonly misled: Estimate;
  /** Runs of all subjects together. */
  readonly runs: Estimate;
  /** Versions that were measured, without the ends. */
  readonly measured: Estimate;
}

/** Measures a version once, and the good end once. */
type Measure = (version: number) => { readonly good: number; readonly rate: number };

interface Found {
  /** The versions that the search names. */
  readonly range: Pick<VersionRange, 'first' | 'last'> | undefined;
  readonly runs: number;
  readonly measured: number;
}

/** A way to search. */
export interface SearchRule {
  readonly name: string;
  readonly search: (versions: number, measure: Measure) => Found;
}

/** `bench-cli bisect`. */
export const bisect: SearchRule = {
  name: 'bisect',
  search: (versions, measure) => {
    const bisection = new Bisection(versions);
    const measured = new Set<number>();
    let runs = 0;
    for (let next = bisection.next(); next !== undefined; next = bisection.next()) {
      const { good, rate } = measure(next);
      bisection.add(next, good, rate);
      measured.add(next);
      runs += 2;
    }
    return { range: bisection.range(), runs, measured: measured.size - 1 };
  },
};

/** The steps of a usual bisection, each of which decides for itself whether a version differs from the good end. */
function steps(isBad: (measureOnce: () => ReturnType<Measure>) => boolean): SearchRule['search'] {
  return (versions, measure) => {
    let runs = 0;
    const isBadVersion = (version: number) =>
      isBad(() => {
        runs += 2;
        return measure(version);
      });
    let [first, last, measured] = [0, versions - 1, 0];
    if (!isBadVersion(last)) return { range: undefined, runs, measured };
    while (first < last) {
      const middle = Math.floor((first + last) / 2);
      if (isBadVersion(middle)) last = middle;
      else first = middle + 1;
      measured++;
    }
    return { range: { first, last }, runs, measured };
  };
}

/** `compare` by default at each step: 30 runs, then Welch's test at the 5 % level. */
export const fixedSteps: SearchRule = {
  name: 'compare, 30 runs',
  search: steps((measureOnce) => {
    const pairs = Array.from({ length: FIXED_RUNS }, measureOnce);
    const old = pairs.map(({ good }) => good);
    return isDifference(fixedEvidence({ old, new: pairs.map(({ rate }) => rate) }).verdict);
  }),
};

/** `compare --runs auto` at each step. */
export const adaptiveSteps: SearchRule = {
  name: 'compare --runs auto',
  search: steps((measureOnce) => {
    const family = new SequentialFamily();
    while (family.isOpen('')) {
      const { good, rate } = measureOnce();
      family.add('', good, rate);
      family.judge();
    }
    return isDifference(family.judgement('').verdict);
  }),
};

/** Searches many histories by a rule. */
export function simulateSearches(
  { versions, effect, deviation, noise }: History,
  rule: SearchRule,
  searches: number,
  random: Random,
): SearchResult {
  const results = Array.from({ length: searches }, () => {
    const planted = effect === 0 ? versions : Math.floor(random.uniform() * versions);
    const measure = (version: number) => {
      const truth = { effect: version < planted ? 0 : effect, deviation };
      const pairs = measurePairs(noise, truth, random, 1);
      return { good: pairs.old[0] ?? Number.NaN, rate: pairs.new[0] ?? Number.NaN };
    };
    const { range, ...cost } = rule.search(versions, measure);
    const isOne = range !== undefined && range.first === range.last;
    const isAround = range !== undefined && range.first <= planted && planted <= range.last;
    return { isOne, isAround, isNamed: range !== undefined, ...cost };
  });
  const share = (isCounted: (result: (typeof results)[number]) => boolean) =>
    shareOf(results.filter(isCounted).length, searches);
  return {
    found: share(({ isOne, isAround }) => isOne && isAround),
    wrong: share(({ isOne, isAround }) => isOne && !isAround),
    misled: share(({ isNamed, isAround }) => isNamed && !isAround),
    runs: meanOf(results.map(({ runs }) => runs)),
    measured: meanOf(results.map(({ measured }) => measured)),
  };
}
