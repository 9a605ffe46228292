import { argumentsOf, type ParameterValue, type Sample } from '@bench-cli/results';
import { meanOf } from './moments.ts';
import { floorOf } from './rank-evidence.ts';
import { ratioOfLog } from './ratio.ts';
import { type SampleSummary, summaryOf } from './sample.ts';
import { boundaryFor, type SequentialBoundary } from './sequential/boundary.ts';
import { repeatedHalfWidth } from './sequential/sequential-precision.ts';
import { tiedGroups } from './ties.ts';
import { halfWidthOfSum } from './welch.ts';

export interface Ranking {
  readonly fastest: ParameterValue;
  /** In the order of their rates, the highest first. */
  readonly others: readonly RankedValue[];
  /** All pairs of values, in the order of the faster and then of the slower one. */
  readonly pairs: readonly RankedPair[];
  /** The largest groups, of at least two values, in which no two certainly differ. */
  readonly ties: readonly (readonly ParameterValue[])[];
}

export interface ParameterRanking extends Ranking {
  readonly parameter: string;
}

export interface RankedValue {
  readonly value: ParameterValue;
  /** How many times as fast the fastest value is: the geometric mean over all combinations of the other parameters. */
  readonly ratio: number;
  /** Simultaneous for all pairs of values, with 95 % together. */
  readonly interval: { readonly low: number; readonly high: number };
  /** Whether the values differ: the interval excludes 1, and there are enough runs for ranks to show it, too. */
  readonly isCertain: boolean;
}

export interface RankedPair extends Omit<RankedValue, 'value'> {
  readonly faster: ParameterValue;
  readonly slower: ParameterValue;
}

/** Fewer runs do not tell how much the rates vary. */
const FEWEST_RUNS = 3;

/** The risk of all intervals together. */
const RISK = 0.05;

/**
 * Ranks the values of each parameter of a benchmark that is text or boolean: numbers are sizes, whose rates say nothing about which is
 * better. Leaves out what `rankValues` cannot rank.
 */
export function rankParameters(samples: readonly Sample[], maxRuns?: number): readonly ParameterRanking[] {
  const names = new Set(samples.flatMap(({ configuration }) => Object.keys(configuration)));
  return [...names]
    .filter((name) => samples.every(({ configuration }) => typeof configuration[name] !== 'number'))
    .flatMap((parameter) => {
      const ranking = rankValues(samples, parameter, maxRuns);
      return ranking === null ? [] : [{ parameter, ...ranking }];
    });
}

/**
 * Ranks the values of a parameter by the rates of cases that differ only in it.
 *
 * Method for a fixed number of runs: the logarithm of a mean has the variance s^2 / (n mean^2) (delta method); degrees of freedom by
 * Welch and Satterthwaite, of whole commands by their mean times; Bonferroni's correction for all pairs of values, so that it does not matter which one turns out to be
 * fastest. Values only differ if ranks could show it with so many runs: as few as three can fall into opposite modes by chance.
 *
 * Method for adaptive runs, whose number depends on their rates: repeated confidence intervals of the mean logarithm of each case, which
 * hold at whichever run it stopped (`SequentialPrecision`), with Bonferroni's correction for all cases. While all hold, so does every
 * difference between them, whether cases depend on each other or not; these intervals are therefore wider. Ratios are those of geometric
 * means.
 * @param maxRuns the limit of adaptive runs of each case; undefined for a fixed number of runs
 * @returns null if there are fewer than two values, a case has too few runs or a rate of 0, or a combination lacks a value
 */
export function rankValues(samples: readonly Sample[], parameter: string, maxRuns?: number): Ranking | null {
  const byValue = Map.groupBy(samples, ({ configuration }) => configuration[parameter]);
  const combinations = new Set(samples.map((sample) => combinationOf(sample, parameter)));
  if (byValue.size < 2 || byValue.has(undefined)) return null;
  if ([...byValue.values()].some((ofValue) => ofValue.length !== combinations.size)) return null;
  if (samples.some(({ rates }) => rates.length < FEWEST_RUNS)) return null;
  return maxRuns === undefined
    ? rankMeans(byValue)
    : rankRepeated(byValue, boundaryFor(maxRuns), RISK / samples.length);
}

type SamplesByValue = ReadonlyMap<ParameterValue | undefined, readonly Sample[]>;

function rankMeans(byValue: SamplesByValue): Ranking | null {
  const pairs = (byValue.size * (byValue.size - 1)) / 2;
  const means = Array.from(byValue, ([value, samples]) => {
    const rates = samples.map((sample) => sample.rates);
    return { value, rates, ...logMean(samples.flatMap((sample) => summaryOf(sample.rates, sample) ?? [])) };
  });
  return ranked(
    means,
    (fastest, other) => halfWidthOfSum([...fastest.errors, ...other.errors], RISK / pairs),
    (fastest, other) => {
      const both = fastest.rates.map((rates, at) => ({ old: other.rates[at] ?? [], new: rates }));
      return floorOf(both) < RISK / pairs;
    },
  );
}

function rankRepeated(byValue: SamplesByValue, boundary: SequentialBoundary, risk: number): Ranking | null {
  const means = Array.from(byValue, ([value, samples]) => {
    const logs = samples.map(({ rates }) => Array.from(rates, (rate) => Math.log(rate)));
    const halves = logs.map((each) => repeatedHalfWidth(each, boundary, risk));
    return { value, mean: meanOf(logs.map(meanOf)), half: meanOf(halves) };
  });
  // These runs begin with more than ranks need.
  return ranked(
    means,
    (fastest, other) => fastest.half + other.half,
    () => true,
  );
}

/**
 * @param means each with the mean logarithm of the rates, which is not finite if one is 0
 * @param halfWidthOf half the width of the interval of the difference of two means
 * @param isSupported whether two values have enough runs
 */
function ranked<Mean extends { readonly value: ParameterValue | undefined; readonly mean: number }>(
  means: readonly Mean[],
  halfWidthOf: (fastest: Mean, other: Mean) => number,
  isSupported: (fastest: Mean, other: Mean) => boolean,
): Ranking | null {
  if (means.some(({ mean }) => !Number.isFinite(mean))) return null;
  const ordered = means.toSorted((a, b) => b.mean - a.mean);
  const [first, ...others] = ordered;
  if (first?.value === undefined) return null;
  const compared = (faster: Mean, other: Mean) => {
    const log = faster.mean - other.mean;
    const { ratio, ...interval } = ratioOfLog(log, halfWidthOf(faster, other));
    return { ratio, interval, isCertain: interval.low > 1 && isSupported(faster, other) };
  };
  const ties = tiedGroups(ordered, (faster, other) => !compared(faster, other).isCertain);
  const pairs = ordered.flatMap((faster, at) =>
    ordered
      .slice(at + 1)
      .flatMap((slower) =>
        faster.value === undefined || slower.value === undefined
          ? []
          : [{ faster: faster.value, slower: slower.value, ...compared(faster, slower) }],
      ),
  );
  return {
    fastest: first.value,
    others: pairs
      .slice(0, others.length)
      .map(({ faster: _, slower: value, ...rest }) => ({ value, ...rest })),
    pairs,
    ties: ties.map((tied) => tied.flatMap(({ value }) => value ?? [])),
  };
}

function combinationOf({ benchmark, configuration }: Sample, parameter: string): string {
  const { [parameter]: _, ...others } = configuration;
  return JSON.stringify([benchmark, argumentsOf(others)]);
}

/** The mean of the logarithms of the means of several samples, with the parts of its squared standard error. */
function logMean(summaries: readonly SampleSummary[]) {
  const count = summaries.length;
  return {
    mean: meanOf(summaries.map(({ mean }) => Math.log(mean))),
    errors: summaries.map(({ n, mean, variance }) => ({
      value: (variance ?? 0) / n / mean ** 2 / count ** 2,
      df: n - 1,
    })),
  };
}
