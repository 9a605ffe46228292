import type { SampleSummary } from './sample.ts';
import type { SquaredError } from './satterthwaite.ts';

/** The means of two subjects in units of the old mean, so that machines of different speed can be compared. */
export interface RelativeMeans {
  readonly ratio: number;
  /** The parts of the squared standard error of the old mean. */
  readonly oldErrors: readonly SquaredError[];
  readonly newErrors: readonly SquaredError[];
}

/** @returns null with fewer than two runs of a subject, or if the old mean is 0 or almost 0 */
export function relativeMeans(before: SampleSummary, after: SampleSummary): RelativeMeans | null {
  const { mean } = before;
  if (before.variance === null || after.variance === null || !(mean > 0)) return null;
  const ratio = after.mean / mean;
  // Divided twice, because the square of a rate can overflow.
  const oldError = before.variance / mean / mean / before.n;
  const newError = after.variance / mean / mean / after.n;
  if (!Number.isFinite(ratio) || !Number.isFinite(oldError + newError)) return null;
  return {
    ratio,
    oldErrors: [{ value: oldError, df: before.n - 1 }],
    newErrors: [{ value: newError, df: after.n - 1 }],
  };
}
