import type { Comparison } from './comparison.ts';
import { meansOf } from './fixed-judgement.ts';
import type { Verdict } from './judgement.ts';
import { meanOf } from './moments.ts';
import { type RatioInterval, ratioOfLog } from './ratio.ts';
import { halfWidthOfSum } from './welch.ts';

export function verdictCounts(comparisons: readonly Pick<Comparison, 'verdict'>[]): Record<Verdict, number> {
  const counts = { higher: 0, lower: 0, same: 0, undecided: 0 };
  for (const { verdict } of comparisons) counts[verdict]++;
  return counts;
}

/**
 * The geometric mean of the ratios of comparisons, with an interval for exactly these cases, whose confidence is at least 95 %: it
 * reflects the noise of the runs, not the choice of the cases.
 *
 * Method: the logarithm of a mean has the variance s^2 / (n mean^2) (delta method); degrees of freedom by Welch and
 * Satterthwaite. For adaptive runs, whose estimates are too far from 1 on average, the geometric means of both ends of the
 * intervals, which are valid at any run; that is wider than necessary.
 * @returns null if a comparison has no ratio, or if there is no comparison
 */
export function meanRatio(comparisons: readonly Comparison[]): RatioInterval | null {
  const logs = comparisons.map(logRatioOf);
  const known = logs.filter((log) => log !== null);
  if (known.length === 0 || known.length < logs.length) return null;
  const mean = meanOf(known.map(({ value }) => value));
  const errors = known.flatMap((log) => log.errors);
  const ends = comparisons.flatMap(({ judgement }) =>
    judgement.method === 'sequential' && judgement.ratio !== null ? [judgement.ratio] : [],
  );
  if (ends.length === 0) return ratioOfLog(mean, halfWidthOfSum(errors, 0.05) / known.length);
  const geometricMean = (values: readonly number[]) => Math.exp(meanOf(values.map(Math.log)));
  return {
    ratio: Math.exp(mean),
    low: geometricMean(ends.map(({ low }) => low)),
    high: geometricMean(ends.map(({ high }) => high)),
  };
}

function logRatioOf({ old, new: new_, judgement }: Comparison) {
  if (judgement.method === 'sequential') {
    return judgement.ratio === null ? null : { value: Math.log(judgement.ratio.ratio), errors: [] };
  }
  const means = meansOf({ old, new: new_, judgement });
  if (means === null || !(means.ratio > 0)) return null;
  const { ratio, oldErrors, newErrors } = means;
  const scaled = newErrors.map(({ value, df }) => ({ value: value / ratio / ratio, df }));
  return { value: Math.log(ratio), errors: [...oldErrors, ...scaled] };
}
