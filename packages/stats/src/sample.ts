import { type OfCommand, type RatePair, type SubjectRole, UsageError } from '@bench-cli/results';
import { geometricMean, quantile, sumOf } from './moments.ts';

/** A summary of the rates of all runs of one case under one subject. */
export interface SampleSummary {
  /** Number of runs, at least 1. */
  readonly n: number;
  /** Operations per second: the arithmetic mean, or the geometric mean of adaptive runs. */
  readonly mean: number;
  /** Unbiased variance (divisor n - 1), in squared operations per second; null for one run. */
  readonly variance: number | null;
  readonly min: number;
  readonly max: number;
  /** The middle rate, or the mean of the two middle rates. */
  readonly median: number;
}

/**
 * Summarizes rates (operations per second).
 * Method: two passes, each corrected by the sum of its residuals (Chan, Golub and LeVeque, "Algorithms for
 * computing the sample variance", 1983), which keeps the digits of a small spread with a large mean.
 * @throws UsageError for an empty sample, for a rate that is negative or not finite, for rates above about
 * 1e150, whose variance overflows, and for rates above 0 and below 1e-150, whose variance underflows
 */
export function summarizeSample(rates: ArrayLike<number>): SampleSummary {
  const n = rates.length;
  if (n === 0) throw invalidRates('the sample is empty: give it at least one rate');

  const ascending = new Float64Array(rates).sort();
  // NaN sorts last, so an invalid rate is at one of the two ends.
  const min = ascending[0] ?? Number.NaN;
  const max = ascending[n - 1] ?? Number.NaN;
  if (!(min >= 0 && max < Number.POSITIVE_INFINITY)) {
    const wrong = min < 0 ? min : max;
    throw invalidRates(`invalid rate ${wrong}: expected operations per second, at least 0`);
  }

  const smallest = ascending.find((rate) => rate > 0) ?? 1;
  if (smallest < 1e-150)
    throw invalidRates(
      `rates down to ${smallest} are too small to compute with: report them in a smaller unit`,
    );

  const roughMean = sumOf(ascending, (rate) => rate) / n;
  const mean = roughMean + sumOf(ascending, (rate) => rate - roughMean) / n;
  const residual = sumOf(ascending, (rate) => rate - mean);
  const squares = sumOf(ascending, (rate) => (rate - mean) ** 2);
  const variance = n === 1 ? null : Math.max(0, squares - residual ** 2 / n) / (n - 1);
  if (!Number.isFinite(mean + (variance ?? 0)))
    throw invalidRates(`rates up to ${max} are too large to compute with: report them in a larger unit`);

  return { n, mean, variance, min, max, median: quantile(ascending, 0.5) };
}

function invalidRates(message: string): UsageError {
  return new UsageError('ERR_BENCH_RATE', message);
}

/** A summary of rates; null for an empty sample. */
export function summaryOf(rates: ArrayLike<number>, { isCommand }: OfCommand = {}): SampleSummary | null {
  if (rates.length === 0) return null;
  return isCommand ? summarizeTimes(rates) : summarizeSample(rates);
}

/** A summary of adaptive runs: the mean is geometric, because logarithms are compared, unless a rate is 0. */
export function adaptiveSummaryOf(rates: ArrayLike<number>, kind?: OfCommand): SampleSummary | null {
  const summary = summaryOf(rates, kind);
  return summary && (summary.min > 0 ? { ...summary, mean: geometricMean(Array.from(rates)) } : summary);
}

/** The summaries of both sides. @param summarize computes the mean that the method compares */
export function summariesOf(
  pair: RatePair & OfCommand,
  summarize: typeof summaryOf = summaryOf,
): Record<SubjectRole, SampleSummary | null> {
  return { old: summarize(pair.old, pair), new: summarize(pair.new, pair) };
}

/** Summarizes a command by its times: the mean is 1 / mean time, with the relative deviation of times. */
function summarizeTimes(rates: ArrayLike<number>): SampleSummary {
  const { n, mean, variance, min, max, median } = summarizeSample(inverse(rates));
  const ofRates = variance === null ? null : variance / mean ** 4;
  return { n, mean: 1 / mean, variance: ofRates, min: 1 / max, max: 1 / min, median: 1 / median };
}

/** Converts rates to seconds per run, and back. */
export function inverse(values: ArrayLike<number>): number[] {
  return Array.from(values, (value) => 1 / value);
}
