import type { SampleSummary } from './sample.ts';

/**
 * Hedges' g: the difference of the means in standard deviations of a single run. About 0.2 is called small, 0.8 large. It
 * says how visible a difference is in one run, not how much faster a program is.
 *
 * Method: pooled standard deviation, with the usual approximation 1 - 3 / (4 df - 1) of the small-sample correction.
 * Source: L. V. Hedges, "Distribution theory for Glass's estimator of effect size", J. Educ. Stat. 6 (1981).
 * @returns null with fewer than two runs of a subject, or if no rate varies
 */
export function hedgesG(before: SampleSummary, after: SampleSummary): number | null {
  if (before.variance === null || after.variance === null) return null;
  const df = before.n + after.n - 2;
  const pooled = ((before.n - 1) / df) * before.variance + ((after.n - 1) / df) * after.variance;
  const g = ((after.mean - before.mean) / Math.sqrt(pooled)) * (1 - 3 / (4 * df - 1));
  return Number.isFinite(g) ? g : null;
}
