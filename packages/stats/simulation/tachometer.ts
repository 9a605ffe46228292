import { pairP } from '../src/sequential/pair-estimate.ts';
import type { Pairs } from './noise.ts';
import type { Outcome, Rule } from './rules.ts';

const sampleSize = 50;
const batch = 10;

/**
 * tachometer continues for three minutes. With runs of half a second, which is an assumption, these are 180 more pairs. It
 * checks the time only between batches.
 */
const mostRuns = sampleSize + 180;

/**
 * The rule of tachometer 0.7.2 by default: 50 runs, then 10 more at a time until the 95 % intervals of the relative
 * differences, in both directions, exclude 0 (`--auto-sample-conditions=0%`), or the time is over. Its verdict "unsure" is
 * undecided here.
 * Source: `takeAdditionalSamples` in src/runner.ts, `computeDifference` in src/stats.ts and `formatDifference` in
 * src/format.ts of https://github.com/google/tachometer
 */
export const tachometer: Rule = {
  name: 'tachometer',
  mostRuns,
  judge: (pairs) => {
    for (let runs = sampleSize; ; runs += batch) {
      const outcome = judgeTimes(pairs, runs);
      if (outcome.isResolved || runs >= mostRuns) return outcome;
    }
  },
};

function judgeTimes(pairs: Pairs, runs: number): Outcome & { readonly isResolved: boolean } {
  const before = timesOf(pairs.old, runs);
  const after = timesOf(pairs.new, runs);
  const forth = excludesZero(before, after, runs);
  const isResolved = forth && excludesZero(after, before, runs);
  const isDifferent = forth && excludesZeroAbsolutely(before, after, runs);
  const verdict = isDifferent ? (after.mean < before.mean ? 'higher' : 'lower') : 'undecided';
  return { verdict, runs, isResolved };
}

/** A mean time, with the variance of the mean. */
interface Times {
  readonly mean: number;
  readonly squaredError: number;
}

function timesOf(rates: Float64Array, runs: number): Times {
  const times = rates.subarray(0, runs).map((rate) => 1 / rate);
  const mean = times.reduce((sum, time) => sum + time, 0) / runs;
  const squares = times.reduce((sum, time) => sum + (time - mean) ** 2, 0);
  return { mean, squaredError: squares / (runs - 1) / runs };
}

/** `samplingDistributionOfRelativeDifferenceOfMeans` and its interval. */
function excludesZero(a: Times, b: Times, runs: number): boolean {
  const squaredError = (a.squaredError * b.mean ** 2 + b.squaredError * a.mean ** 2) / a.mean ** 4;
  return isFar((b.mean - a.mean) / a.mean, squaredError, runs);
}

/** `samplingDistributionOfAbsoluteDifferenceOfMeans` and its interval. */
function excludesZeroAbsolutely(a: Times, b: Times, runs: number): boolean {
  return isFar(b.mean - a.mean, a.squaredError + b.squaredError, runs);
}

/** Whether the 95 % interval (Student's t with the degrees of freedom of one sample) excludes 0. */
function isFar(difference: number, squaredError: number, runs: number): boolean {
  const estimate = { runs, logRatio: difference, standardError: Math.sqrt(squaredError), df: runs - 1 };
  return pairP(estimate) < 0.05;
}
