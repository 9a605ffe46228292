import type { SampleSummary } from './sample.ts';
import { criticalT, twoSidedP } from './tail.ts';

/**
 * The result of a test of two samples.
 * - `welch`: Welch's t-test.
 * - `constant`: no rate varies. R's `t.test` fails with "data are essentially constant"; here equal means have p = 1 and
 *   different means p = 0, which are the limits of the test.
 * - `none`: a subject has fewer than two runs, so its variance is unknown.
 */
export type TestResult =
  | {
      readonly kind: 'welch';
      /** Positive if the new mean is larger. */
      readonly t: number;
      /** Degrees of freedom (Welch-Satterthwaite), usually not a whole number. */
      readonly df: number;
      /** Two-sided. */
      readonly p: number;
      /** Standard error of the difference of the means in operations per second. */
      readonly standardError: number;
    }
  | { readonly kind: 'constant'; readonly p: 0 | 1 }
  | { readonly kind: 'none' };

export type MadeTest = Exclude<TestResult, { readonly kind: 'none' }>;

/** R calls two samples constant if the standard error is below this fraction of the larger mean. */
export const CONSTANT_BELOW = 10 * Number.EPSILON;

/**
 * Welch's two-sided t-test of two samples, like R's `t.test(rate ~ binary)`. The difference is new minus old.
 *
 * The method assumes independent runs whose means are about normally distributed; the variances may differ.
 * Source: B. L. Welch, "The generalization of 'Student's' problem when several different population
 * variances are involved", Biometrika 34 (1947).
 */
export function welchTest(before: SampleSummary, after: SampleSummary): TestResult {
  if (before.variance === null || after.variance === null) return { kind: 'none' };

  const errors = [
    { value: before.variance / before.n, df: before.n - 1 },
    { value: after.variance / after.n, df: after.n - 1 },
  ];
  const negligible = CONSTANT_BELOW * Math.max(Math.abs(before.mean), Math.abs(after.mean));
  const difference = after.mean - before.mean;
  const standardError = Math.sqrt(sumOfErrors(errors));
  if (standardError <= negligible) {
    return { kind: 'constant', p: Math.abs(difference) <= negligible ? 1 : 0 };
  }
  const t = difference / standardError;
  const df = satterthwaite(errors);
  return { kind: 'welch', t, df, p: twoSidedP(t, df), standardError };
}

/**
 * Half the width of the confidence interval of the difference of the means, in the unit of the standard error.
 * @param risk such as 0.05
 */
export function halfWidth(test: MadeTest, risk: number): number {
  return test.kind === 'constant' ? 0 : criticalT(risk, test.df) * test.standardError;
}

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
