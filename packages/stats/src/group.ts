import type { Comparison } from './comparison.ts';
import { meansOf } from './fixed-judgement.ts';
import type { Verdict } from './judgement.ts';
import { meanOf } from './moments.ts';
import { halfWidthOfSum, type SquaredError } from './satterthwaite.ts';

/** The mean of the ratios of several cases. */
export interface MeanRatio {
  /** Geometric mean. */
  readonly ratio: number;
  /** An interval for exactly these cases with a confidence of at least 95 %; null if a comparison has none. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

/** The number of comparisons with each verdict. */
export function verdictCounts(comparisons: readonly Pick<Comparison, 'verdict'>[]): Record<Verdict, number> {
  const counts = { higher: 0, lower: 0, same: 0, undecided: 0 };
  for (const { verdict } of comparisons) counts[verdict]++;
  return counts;
}

/**
 * The geometric mean of the ratios of comparisons. Its interval reflects the noise of the runs, not the choice of the cases.
 *
 * Method: the logarithm of a mean has the variance s^2 / (n mean^2) (delta method); degrees of freedom by Welch and
 * Satterthwaite. For adaptive runs, whose estimates are too far from 1 on average, the geometric means of both ends of the
 * intervals, which are valid at any run; that is wider than necessary.
 *
 * @returns null if a comparison has no ratio, or if there is no comparison
 */
export function meanRatio(comparisons: readonly Comparison[]): MeanRatio | null {
  const logs = comparisons.map(logRatioOf);
  const known = logs.filter((log) => log !== null);
  if (known.length === 0 || known.length < logs.length) return null;
  const mean = meanOf(known.map(({ value }) => value));
  const errors = known.flatMap((log) => log.errors);
  const ends = comparisons.flatMap(({ judgement }) =>
    judgement.method === 'sequential' && judgement.ratio !== null ? [judgement.ratio] : [],
  );
  const half = halfWidthOfSum(errors, 0.05) / known.length;
  const interval =
    ends.length === 0
      ? { low: Math.exp(mean - half), high: Math.exp(mean + half) }
      : { low: geometricMean(ends.map(({ low }) => low)), high: geometricMean(ends.map(({ high }) => high)) };
  return { ratio: Math.exp(mean), interval };
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(meanOf(values.map(Math.log)));
}

interface LogRatio {
  readonly value: number;
  readonly errors: readonly SquaredError[];
}

function logRatioOf({ old, new: new_, judgement }: Comparison): LogRatio | null {
  if (judgement.method === 'sequential') {
    return judgement.ratio === null ? null : { value: Math.log(judgement.ratio.ratio), errors: [] };
  }
  const means = meansOf({ old, new: new_, judgement });
  if (means === null || !(means.ratio > 0)) return null;
  const { ratio, oldErrors, newErrors } = means;
  const scaled = newErrors.map(({ value, df }) => ({ value: value / ratio / ratio, df }));
  return { value: Math.log(ratio), errors: [...oldErrors, ...scaled] };
}
