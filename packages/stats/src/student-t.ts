import { distributions } from './load-distributions.ts';
import type { SampleSummary } from './sample.ts';

/** Probability that Student's t with `df` degrees of freedom is at least as far from 0 as `t`. */
export function twoSidedP(t: number, df: number): number {
  return 2 * distributions().tCdf(-Math.abs(t), df);
}

/** The t with `twoSidedP(t, df)` = `risk`. */
export function criticalT(risk: number, df: number): number {
  return -distributions().tQuantile(risk / 2, df);
}

/** Half the width of the confidence interval of a mean (Student's t), in the unit of the mean; null for a single run. */
export function meanHalfWidth(
  { n, variance }: Pick<SampleSummary, 'n' | 'variance'>,
  risk = 0.05,
): number | null {
  return variance === null ? null : criticalT(risk, n - 1) * Math.sqrt(variance / n);
}
