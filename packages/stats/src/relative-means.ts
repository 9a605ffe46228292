import type { SampleSummary } from './sample.ts';
import type { SquaredError } from './satterthwaite.ts';

/** The means of two subjects in units of the old one, which makes machines of different speed comparable. */
export interface RelativeMeans {
  /** New mean over old mean. */
  readonly ratio: number;
  /** What the squared standard error of the old mean consists of. */
  readonly oldErrors: readonly SquaredError[];
  /** The same of the new mean. */
  readonly newErrors: readonly SquaredError[];
}

/** @returns null where they do not exist: fewer than two runs on a side, or an old mean of 0 or next to it */
export function relativeMeans(before: SampleSummary, after: SampleSummary): RelativeMeans | null {
  const { mean } = before;
  if (before.variance === null || after.variance === null || !(mean > 0)) return null;
  const ratio = after.mean / mean;
  // Divided twice, so that no fourth power of a rate is formed.
  const oldError = before.variance / mean / mean / before.n;
  const newError = after.variance / mean / mean / after.n;
  if (!Number.isFinite(ratio) || !Number.isFinite(oldError + newError)) return null;
  return {
    ratio,
    oldErrors: [{ value: oldError, df: before.n - 1 }],
    newErrors: [{ value: newError, df: after.n - 1 }],
  };
}
