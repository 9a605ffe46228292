import type { Comparison } from './comparison.ts';
import { meansOf } from './fixed-judgement.ts';
import type { FixedJudgement, SequentialJudgement, StratifiedJudgement, Verdict } from './judgement.ts';
import { type SquaredError, satterthwaite, sumOfErrors } from './satterthwaite.ts';
import { criticalT } from './student-t.ts';

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
  const logs = comparisons.map((it) => logRatioOf(it));
  const known = logs.filter((log) => log !== null);
  if (known.length === 0 || known.length < logs.length) return null;
  const mean = known.reduce((sum, { value }) => sum + value, 0) / known.length;
  const errors = known.flatMap((log) => log.errors);
  const ends = comparisons.flatMap(({ judgement }) =>
    judgement.method === 'sequential' && judgement.ratio !== null ? [judgement.ratio] : [],
  );
  const interval =
    ends.length === 0
      ? intervalOf(mean, errors, known.length)
      : { low: geometricMean(ends.map(({ low }) => low)), high: geometricMean(ends.map(({ high }) => high)) };
  return { ratio: Math.exp(mean), interval };
}

function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

interface LogRatio {
  readonly value: number;
  readonly errors: readonly SquaredError[];
}

function logRatioOf(comparison: Comparison): LogRatio | null {
  if (isFixed(comparison)) {
    const means = meansOf(comparison);
    if (means === null || !(means.ratio > 0)) return null;
    const { ratio, oldErrors, newErrors } = means;
    const scaled = newErrors.map(({ value, df }) => ({ value: value / ratio / ratio, df }));
    return { value: Math.log(ratio), errors: [...oldErrors, ...scaled] };
  }
  const { ratio } = comparison.judgement;
  return ratio === null ? null : { value: Math.log(ratio.ratio), errors: [] };
}

function intervalOf(mean: number, errors: readonly SquaredError[], count: number) {
  const total = sumOfErrors(errors);
  const half = total === 0 ? 0 : (criticalT(0.05, satterthwaite(errors)) * Math.sqrt(total)) / count;
  return { low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

function isFixed(
  comparison: Comparison<FixedJudgement | StratifiedJudgement | SequentialJudgement>,
): comparison is Comparison<FixedJudgement | StratifiedJudgement> {
  return comparison.judgement.method !== 'sequential';
}
