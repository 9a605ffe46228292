import type { RatePair } from '@bench-cli/results';
import { charged, chargeOf, isPaired, sharedError } from './round-pairs.ts';
import type { SampleSummary } from './sample.ts';
import { type SquaredError, satterthwaite, sumOfErrors } from './welch.ts';

/** The means of two subjects, divided by the old mean. */
export interface RelativeMeans {
  readonly ratio: number;
  /** The squared standard error of the old mean. */
  readonly oldError: SquaredError;
  readonly newError: SquaredError;
  /**
   * The squared error of the difference, divided by that of independent runs. It exceeds 1 if one subject is
   * slow in the rounds in which the other is fast. It is below 1 only for rounds in turns.
   */
  readonly charge: number;
  /** For rounds in turns: the covariance of both means, and the degrees of freedom of the paired test. */
  readonly paired?: { readonly covariance: number; readonly df: number } | undefined;
}

/**
 * The errors of means by their rounds. In turns, the error that both runs share cancels: a paired t-test.
 * Otherwise, a positive covariance is ignored. A negative covariance increases the errors and reduces the
 * degrees of freedom, down to those of a paired test.
 */
export function chargedMeans({ ratio, oldError, newError, charge, paired }: RelativeMeans) {
  if (paired !== undefined) return { ratio, oldError, newError, ...paired };
  const errors = { oldError: charged(oldError, charge), newError: charged(newError, charge) };
  return { ratio, ...errors, covariance: 0, df: satterthwaite([errors.oldError, errors.newError]) };
}

/** @returns null with fewer than two runs of a subject, or if the old mean is 0 or almost 0 */
export function relativeMeansOf(
  samples: RatePair,
  before: SampleSummary | null,
  after: SampleSummary | null,
): RelativeMeans | null {
  if (before === null || after === null || before.variance === null || after.variance === null) return null;
  const { mean } = before;
  if (!(mean > 0)) return null;
  const ratio = after.mean / mean;
  // Divided twice, because the square of a rate can overflow.
  const oldError = { value: before.variance / mean / mean / before.n, df: before.n - 1 };
  const newError = { value: after.variance / mean / mean / after.n, df: after.n - 1 };
  const errors = sumOfErrors([oldError, newError]);
  if (!Number.isFinite(ratio) || !Number.isFinite(errors)) return null;
  const shared = sharedError(samples) / mean / mean;
  const means = { ratio, oldError, newError };
  if (errors === 0 || !isPaired(samples)) return { ...means, charge: chargeOf(shared, errors) };
  return {
    ...means,
    charge: Math.max(Number.EPSILON * errors, errors - shared) / errors,
    paired: { covariance: shared / 2, df: before.n - 1 },
  };
}
