import { type RatePair, UsageError } from '@bench-cli/results';
import { settings } from '@bench-cli/results/settings';
import type { Verdict } from './judgement.ts';
import { ratioInterval } from './ratio.ts';
import { type RelativeMeans, relativeMeansOf } from './relative-means.ts';
import { chargedDf } from './round-pairs.ts';
import { summariesOf } from './sample.ts';
import { halfWidth, type TestResult, testOf, welchTest } from './welch.ts';

export interface FixedOptions {
  /** The smallest difference that matters, a fraction; default 0.02. */
  readonly margin?: number | undefined;
  /** The largest difference that does not count, in the unit of the values; default 0. */
  readonly negligible?: number | undefined;
  /** The runs that each case was to have, if the session has not ended. Default: it has. */
  readonly plannedRuns?: number | undefined;
}

export const DEFAULT_MARGIN: number = settings.margin.default.compare;

export function checkMargin(margin: number): void {
  if (margin > 0 && margin < 1) return;
  const problem = `invalid margin ${margin}: expected a fraction between 0 and 1, such as 0.02`;
  throw new UsageError('ERR_BENCH_MARGIN', problem);
}

export interface FixedEvidence {
  readonly verdict: Verdict;
  /** The p-value with the error of `chargedMeans`; null with fewer than two runs of a subject. */
  readonly p: number | null;
  readonly isConstant: boolean;
  /** Null if the means have no ratio. */
  readonly means: RelativeMeans | null;
}

/** Welch's t-test, or the paired one if runs took turns. @throws UsageError for an invalid margin */
export function fixedEvidence(
  samples: RatePair,
  { margin = DEFAULT_MARGIN, negligible = 0 }: FixedOptions = {},
  { old, new: new_ } = summariesOf(samples),
): FixedEvidence {
  checkMargin(margin);
  const welch = old && new_ && welchTest(old, new_);
  if (!welch) return { verdict: 'undecided', p: null, isConstant: false, means: null };
  const means = relativeMeansOf(samples, old, new_);
  const test = beyond(negligible, means === null ? welch : chargedTest(welch, means));
  const { difference, standardError, p } = test;
  const isConstant = standardError === 0;
  const isSame = () =>
    isConstant ||
    Math.abs(welch.difference) + halfWidth(test, 0.05) < negligible ||
    (means !== null && isWithin(margin, welch, old.mean, means));
  const direction = difference > 0 ? 'higher' : 'lower';
  return { verdict: p < 0.05 ? direction : isSame() ? 'same' : 'undecided', p, isConstant, means };
}

/** The test with the error and the degrees of freedom of `chargedMeans`. */
function chargedTest(
  { difference, standardError, df }: TestResult,
  { charge, paired }: RelativeMeans,
): TestResult {
  return testOf(difference, standardError * Math.sqrt(charge), paired?.df ?? chargedDf(df, charge));
}

/** Tests only the part of the difference above the negligible amount. */
function beyond(negligible: number, { difference, standardError, df }: TestResult): TestResult {
  const part = Math.sign(difference) * Math.max(0, Math.abs(difference) - negligible);
  return testOf(part, standardError, df);
}

/** Whether the intervals of the difference (for independent runs) and of the ratio lie within the margin. */
function isWithin(margin: number, welch: TestResult, oldMean: number, means: RelativeMeans): boolean {
  const half = means.paired ? 0 : halfWidth(welch, 0.05);
  if ((Math.abs(welch.difference) + half) / oldMean >= margin) return false;
  const interval = ratioInterval(means);
  return interval !== null && interval.low > 1 - margin && interval.high < 1 + margin;
}
