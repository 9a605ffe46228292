import { describe, expect, it } from 'vitest';
import { bisect, fixedSteps, simulateSearches } from '../../simulation/bisection.ts';
import { normalNoise } from '../../simulation/noise.ts';
import { randomStreams } from '../../simulation/random.ts';
import { Bisection } from '../../src/bisection/bisection.ts';
import type { SequentialOptions } from '../../src/sequential/sequential-family.ts';

/** Deviations of pairs of runs, in turn. */
const disturbances = [0.004, -0.006, 0.001, 0.005, -0.003, 0.002, -0.004, 0.003];

interface Search {
  /** The true ratio of each version, or undefined if it cannot be measured; the last is the bad end. */
  readonly ratios: readonly (number | undefined)[];
  readonly noise?: number;
  readonly options?: SequentialOptions;
}

/** Searches to the end. */
function search({ ratios, noise = 1, options }: Search) {
  const bisection = new Bisection(ratios.length, options);
  const visits: number[] = [];
  let runs = 0;
  for (let next = bisection.next(); next !== undefined; next = bisection.next()) {
    if (visits.at(-1) !== next) visits.push(next);
    const ratio = ratios[next];
    if (ratio === undefined) bisection.skip(next, 'broken');
    else bisection.add(next, 1000, 1000 * ratio * (1 + noise * (disturbances[runs++ % 8] ?? 0)));
  }
  return { bisection, visits, runs, range: bisection.range() };
}

/** Versions without a change before one, and with it from that one on. */
const changedAt = (first: number, of: number, ratio = 0.9): number[] =>
  Array.from({ length: of }, (_, version) => (version < first ? 1 : ratio));

describe('a search', () => {
  it.each([0, 1, 9, 14, 15])('finds the first bad version of 16 at place %d by halving', (first) => {
    const { range, visits } = search({ ratios: changedAt(first, 16) });
    expect(range).toMatchObject({ first, last: first });
    expect(range?.probability).toBeGreaterThan(0.95);
    expect(new Set(visits).size).toBeLessThanOrEqual(6);
  });

  it('finds a version that made it faster', () => {
    expect(search({ ratios: changedAt(5, 16, 1.1) }).range).toMatchObject({ first: 5, last: 5 });
  });

  it('measures each version until its side is clear, and the bad end as often', () => {
    const { bisection } = search({ ratios: changedAt(6, 16), noise: 6 });
    const runs = Array.from({ length: 16 }, (_, version) => bisection.evidence(version).runs);
    const measured = runs.filter((count) => count > 0);
    expect(Math.min(...measured)).toBeGreaterThanOrEqual(3);
    expect(runs.at(-1)).toBeGreaterThanOrEqual(Math.max(...runs) - 1);
  });

  it('returns to a version whose first runs were misleading', () => {
    const bisection = new Bisection(8);
    const visits: number[] = [];
    let runsOf3 = 0;
    for (let next = bisection.next(); next !== undefined; next = bisection.next()) {
      visits.push(next);
      // The change is at version 2, but the first three runs of version 3 are almost as fast as before it.
      const isMisleading = next === 3 && runsOf3++ < 3;
      const level = next < 2 ? 1 : isMisleading ? 0.97 : 0.9;
      bisection.add(next, 1000, 1000 * level * (1 + 10 * (disturbances[visits.length % 8] ?? 0)));
    }
    expect(visits.indexOf(5)).toBeLessThan(visits.lastIndexOf(3));
    expect(bisection.range()).toMatchObject({ first: 2, last: 2 });
  });

  it('does not take a few pairs of runs in opposite modes for a difference of the ends', () => {
    const bisection = new Bisection(4);
    const addPair = () => {
      const { runs } = bisection.evidence(3);
      bisection.add(3, 1000 + runs, 900 + runs);
    };
    for (let pair = 0; pair < 8; pair++) addPair();
    expect(bisection.next()).toBe(3);
    expect(bisection.range()).toBeUndefined();
    addPair();
    expect(bisection.ends().verdict).toBe('lower');
    expect(bisection.next()).not.toBe(3);
  });

  it('says for each version which end it is like, and how it differs from the good one', () => {
    const { bisection } = search({ ratios: changedAt(3, 8) });
    expect(bisection.evidence(2)).toMatchObject({ verdict: 'good', ratio: { ratio: expect.closeTo(1, 1) } });
    const bad = bisection.evidence(3);
    expect(bad).toMatchObject({ verdict: 'bad', ratio: { ratio: expect.closeTo(0.9, 1) } });
    expect(bad.ratio?.high).toBeLessThan(1);
    expect(bisection.evidence(0)).toEqual({ runs: 0, ratio: null, verdict: 'good' });
  });
});

describe('a search without an answer', () => {
  it('ends after the ends if these do not differ', () => {
    const { visits, range, bisection } = search({ ratios: changedAt(8, 8) });
    expect(visits).toEqual([7]);
    expect(range).toBeUndefined();
    expect(bisection.ends().verdict).toBe('same');
    expect(bisection.evidence(7).verdict).toBe('good');
  });

  it('ends undecided if the runs up to the limit vary too much', () => {
    const { range, bisection } = search({ ratios: changedAt(2, 4), noise: 60, options: { maxRuns: 8 } });
    expect(range).toBeUndefined();
    expect(bisection.ends().verdict).toBe('undecided');
  });

  it('names the range if the versions around the change cannot be measured', () => {
    const ratios = [1, 1, 1, undefined, undefined, 0.9, 0.9, 0.9];
    const { range } = search({ ratios });
    expect(range).toMatchObject({ first: 3, last: 5 });
  });

  it('measures a neighbour of a version that cannot be measured', () => {
    const ratios = [1, 1, 1, undefined, 1, 0.9, 0.9, 0.9];
    const { visits, range } = search({ ratios });
    expect(visits).toContain(3);
    expect(range).toMatchObject({ first: 5, last: 5 });
  });

  it('names the range if a version between both levels is still undecided at the limit of runs', () => {
    const ratios = [1, 1, 0.9 ** 0.5, 0.9, 0.9];
    const { range, bisection } = search({ ratios, noise: 8, options: { maxRuns: 8 } });
    expect(bisection.evidence(2)).toMatchObject({ runs: 8, verdict: 'undecided' });
    expect(range).toMatchObject({ first: 2, last: 3 });
  });

  it('skips versions with a rate of 0, and ends if the bad end has it', () => {
    expect(search({ ratios: [1, 1, 0, 1, 0.9, 0.9] }).range).toMatchObject({ first: 4, last: 4 });
    expect(search({ ratios: [1, 1, 0] }).range).toBeUndefined();
  });

  it('ends if the bad end cannot be measured', () => {
    expect(search({ ratios: [1, 1, undefined] })).toMatchObject({ visits: [2], range: undefined });
  });
});

it('works with rates that never vary', () => {
  expect(search({ ratios: changedAt(5, 16), noise: 0 }).range).toMatchObject({ first: 5, last: 5 });
});

it('finds a change of 10 % among 64 versions with a noise of 5 % in 95 % of searches, in a quarter of the runs of fixed steps', () => {
  const history = { versions: 64, effect: 0.1, deviation: 0.05, noise: normalNoise };
  const random = randomStreams(20_261_122);
  const ours = simulateSearches(history, bisect, 150, random.next().value);
  const fixed = simulateSearches(history, fixedSteps, 150, random.next().value);
  expect(ours.found.value).toBeGreaterThan(0.95);
  expect(fixed.found.value).toBeLessThan(0.95);
  expect(ours.runs.value).toBeLessThan(fixed.runs.value / 4);
});
