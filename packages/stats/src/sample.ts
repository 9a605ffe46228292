import { UsageError } from '@bench-cli/results';

/** What is known of one sample: the rates of all runs of one configuration under one subject. */
export interface SampleSummary {
  /** Number of runs, at least 1. */
  readonly n: number;
  /** Arithmetic mean, operations per second. */
  readonly mean: number;
  /** Unbiased variance (divisor n - 1), in squared operations per second; null for a single run. */
  readonly variance: number | null;
  readonly min: number;
  readonly max: number;
  /** The middle rate, or the mean of the two middle ones. */
  readonly median: number;
}

/**
 * Summarizes rates (operations per second).
 *
 * Method: two passes, each corrected by the sum of its own residuals (Chan, Golub and LeVeque, "Algorithms
 * for computing the sample variance", 1983), so that a large common offset costs no digits.
 *
 * @throws UsageError for an empty list, for a rate that is negative or not finite, and for rates so
 * large (above about 1e150) that their variance is not a number any more.
 */
export function summarizeSample(rates: ArrayLike<number>): SampleSummary {
  const n = rates.length;
  if (n === 0)
    throw new UsageError('ERR_BENCH_RATE', 'a sample needs at least one rate, and this one has none');

  const ascending = new Float64Array(rates).sort();
  // NaN sorts last, so the two ends show every rate that is no rate.
  const min = ascending[0] ?? Number.NaN;
  const max = ascending[n - 1] ?? Number.NaN;
  if (!(min >= 0 && max < Number.POSITIVE_INFINITY)) {
    const wrong = min < 0 ? min : max;
    throw new UsageError(
      'ERR_BENCH_RATE',
      `a rate must be a number of operations per second, 0 or more, not ${wrong}`,
    );
  }

  const roughMean = sum(ascending, (rate) => rate) / n;
  const mean = roughMean + sum(ascending, (rate) => rate - roughMean) / n;
  const residual = sum(ascending, (rate) => rate - mean);
  const squares = sum(ascending, (rate) => (rate - mean) ** 2);
  const variance = n === 1 ? null : Math.max(0, squares - residual ** 2 / n) / (n - 1);
  if (!Number.isFinite(mean) || (variance !== null && !Number.isFinite(variance))) {
    throw new UsageError(
      'ERR_BENCH_RATE',
      `rates up to ${max} are too large to compute with: report them in a larger unit`,
    );
  }

  const middle = n >> 1;
  const upper = ascending[middle] ?? max;
  const median = n % 2 === 1 ? upper : ((ascending[middle - 1] ?? min) + upper) / 2;
  return { n, mean, variance, min, max, median };
}

function sum(values: Float64Array, term: (value: number) => number): number {
  let total = 0;
  for (const value of values) total += term(value);
  return total;
}
