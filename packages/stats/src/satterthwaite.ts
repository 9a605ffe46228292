import { criticalT } from './tail.ts';

/** A part of the squared standard error of an estimate. */
export interface SquaredError {
  readonly value: number;
  readonly df: number;
}

/**
 * Degrees of freedom of the sum of independent squared errors.
 * Source: F. E. Satterthwaite, "An approximate distribution of estimates of variance components", Biometrics Bulletin 2
 * (1946); for two samples these are Welch's.
 */
export function satterthwaite(errors: readonly SquaredError[]): number {
  const total = sumOfErrors(errors);
  // Shares of the sum, because the fourth power of a rate can overflow.
  return 1 / errors.reduce((sum, { value, df }) => sum + (value / total) ** 2 / df, 0);
}

export function sumOfErrors(errors: readonly SquaredError[]): number {
  return errors.reduce((sum, { value }) => sum + value, 0);
}

/** Half the width of the confidence interval of the sum. @param risk such as 0.05 */
export function halfWidthOfSum(errors: readonly SquaredError[], risk: number): number {
  const total = sumOfErrors(errors);
  return total === 0 ? 0 : criticalT(risk, satterthwaite(errors)) * Math.sqrt(total);
}
