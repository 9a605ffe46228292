import type { SampleSummary } from './sample.ts';
import { criticalT, twoSidedP } from './tail.ts';

/** A test of the difference of two means, new minus old. */
export interface TestResult {
  readonly difference: number;
  /** The standard error of the difference; 0 if no value varies. */
  readonly standardError: number;
  /** Degrees of freedom (Welch-Satterthwaite), usually not a whole number. */
  readonly df: number;
  /** Two-sided. Where R's `t.test` fails because no value varies: 1 for equal means, 0 for different ones. */
  readonly p: number;
}

/** R calls two samples constant if the standard error is below this fraction of the larger mean. */
export const CONSTANT_BELOW = 10 * Number.EPSILON;

/**
 * Welch's two-sided t-test of two samples, like R's `t.test(rate ~ binary)`. The difference is new minus old.
 * The method assumes independent runs whose means are about normal; the variances may differ.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances
 * are involved", Biometrika 34 (1947).
 * @returns null if a subject has fewer than two runs, so that its variance is unknown
 */
export function welchTest(before: SampleSummary, after: SampleSummary): TestResult | null {
  if (before.variance === null || after.variance === null) return null;
  const errors = [
    { value: before.variance / before.n, df: before.n - 1 },
    { value: after.variance / after.n, df: after.n - 1 },
  ];
  const negligible = CONSTANT_BELOW * Math.max(Math.abs(before.mean), Math.abs(after.mean));
  const difference = after.mean - before.mean;
  const standardError = Math.sqrt(sumOfErrors(errors));
  if (standardError > negligible) return testOf(difference, standardError, satterthwaite(errors));
  return testOf(Math.abs(difference) <= negligible ? 0 : difference, 0, 0);
}

/** @param standardError 0 if no value varies */
export function testOf(difference: number, standardError: number, df: number): TestResult {
  const p = standardError > 0 ? twoSidedP(difference / standardError, df) : difference === 0 ? 1 : 0;
  return { difference, standardError, df, p };
}

/** Half the width of the confidence interval of the difference, in the unit of the standard error. */
export function halfWidth({ standardError, df }: Omit<TestResult, 'difference' | 'p'>, risk: number): number {
  return standardError === 0 ? 0 : criticalT(risk, df) * standardError;
}

/** A part of the squared standard error of an estimate. */
export interface SquaredError {
  readonly value: number;
  readonly df: number;
}

/**
 * Degrees of freedom of the sum of independent squared errors.
 * Source: F. E. Satterthwaite, "An approximate distribution of estimates of variance components", Biometrics
 * Bulletin 2 (1946); for two samples these are Welch's.
 */
export function satterthwaite(errors: readonly SquaredError[]): number {
  const total = sumOfErrors(errors);
  // Shares of the sum, because the fourth power of a rate can overflow.
  return 1 / errors.reduce((sum, { value, df }) => sum + (value / total) ** 2 / df, 0);
}

export function sumOfErrors(errors: readonly SquaredError[]): number {
  return errors.reduce((sum, { value }) => sum + value, 0);
}

/** Half the width of the confidence interval of the sum. */
export function halfWidthOfSum(errors: readonly SquaredError[], risk: number): number {
  const total = sumOfErrors(errors);
  return total === 0 ? 0 : criticalT(risk, satterthwaite(errors)) * Math.sqrt(total);
}
