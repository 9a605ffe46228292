import { distributions } from './load-distributions.ts';

/** Probability that a standard normal variable is at least as far from 0 as `z`. */
export function twoSidedNormalP(z: number): number {
  return Math.min(1, 2 * distributions().normalCdf(-Math.abs(z), 0, 1));
}

/** Probability that a standard normal variable is at most `z`. */
export function normalP(z: number): number {
  return distributions().normalCdf(z, 0, 1);
}

/** The z with `twoSidedNormalP(z)` = `risk`. */
export function criticalZ(risk: number): number {
  // The normal quantile needs 1 - risk, which rounds to 1 for the small risks of early looks.
  return Math.SQRT2 * distributions().inverseErfc(risk);
}
