import { createRequire } from 'node:module';
import { remembered } from './remembered.ts';
import type { SampleSummary } from './sample.ts';

/** Loaded at the first call. An import of the package, because bundling changes this file's directory. */
const loaded = remembered((path: string): typeof import('./distributions.ts') =>
  createRequire(import.meta.url)(path),
);
const distributions = () => loaded('#distributions');

/** Probability that a standard normal variable is at least as far from 0 as `z`. */
export function twoSidedNormalP(z: number): number {
  return Math.min(1, 2 * normalP(-Math.abs(z)));
}

/** Probability that a standard normal variable is at most `z`. */
export function normalP(z: number): number {
  return distributions().normalCdf(z, 0, 1);
}

/** The z with `twoSidedNormalP(z)` = `risk`. */
export function criticalZ(risk: number): number {
  // The normal quantile would need 1 - risk, which rounds to 1 for the small risks of early looks.
  return Math.SQRT2 * distributions().inverseErfc(risk);
}

/** Probability that Student's t with `df` degrees of freedom is at least as far from 0 as `t`. */
export function twoSidedP(t: number, df: number): number {
  return 2 * distributions().tCdf(-Math.abs(t), df);
}

/** The t with `twoSidedP(t, df)` = `risk`. */
export function criticalT(risk: number, df: number): number {
  return -distributions().tQuantile(risk / 2, df);
}

/** Half the width of the 95 % confidence interval of a mean (Student's t); null for a single run. */
export function meanHalfWidth({ n, variance }: Pick<SampleSummary, 'n' | 'variance'>): number | null {
  return variance === null ? null : criticalT(0.05, n - 1) * Math.sqrt(variance / n);
}

/** The 95 % confidence interval of a mean of values that are at least 0; null for a single run. */
export function meanInterval(summary: Pick<SampleSummary, 'n' | 'mean' | 'variance'>) {
  const half = meanHalfWidth(summary);
  return half === null ? null : { low: Math.max(0, summary.mean - half), high: summary.mean + half };
}
