import type { RatePair } from '@bench-cli/results';
import type { RatioInterval } from './ratio.ts';
import type { ComparisonWarning } from './warning.ts';

/**
 * How the values of the new subject compare with those of the old subject. `verdictWord` names the verdict,
 * such as "faster" or "more".
 * - `failed`: all runs of a side failed. Only lists of comparisons have it.
 * - `higher`, `lower`: the values differ.
 * - `same`: the interval of the ratio lies within the margin.
 * - `undecided`: neither is shown.
 */
export type Verdict = 'failed' | 'higher' | 'lower' | 'same' | 'undecided';

/** The significance level of fixed runs, and the accepted share of false verdicts of adaptive runs. */
export const ERROR_RATE = 0.05;

export interface JudgedRatio extends RatioInterval {
  /**
   * The confidence of the interval: 1 - error rate; for the equivalence of adaptive runs 1 - 2 × error rate,
   * as for two one-sided tests; for a difference in a list `1 - riskOfBounds`.
   */
  readonly confidence: number;
}

/**
 * Why a case needs no more runs.
 * - `difference`: the ratio differs from 1 after the correction for the number of cases.
 * - `equivalence`: the interval of the ratio lies within the margin.
 * - `futility`: the remaining runs are unlikely to bring a verdict.
 * - `limit`: the case has all of its runs.
 * - `zero-rate`: a rate is 0, so there is no ratio.
 * - `out-of-time`: the time limit ended the session.
 * - `interrupted`: the session has not ended.
 */
export type StopReason =
  | 'difference'
  | 'equivalence'
  | 'futility'
  | 'limit'
  | 'zero-rate'
  | 'out-of-time'
  | 'interrupted';

/** The kinds of warnings that explain an undecided comparison. The first that applies is the reason. */
export const undecidedKinds = [
  'missing-subject',
  'failed-runs',
  'constant-rates',
  'coarse-rates',
  'too-few-runs',
] as const satisfies readonly ComparisonWarning['kind'][];

export type JudgementReason = StopReason | (typeof undecidedKinds)[number];

/** The statistics of two samples by either method. The verdict never contradicts the interval. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The mean of the new subject divided by the mean of the old subject; null without an interval. */
  readonly ratio: JudgedRatio | null;
  /** The two-sided p-value that decides, corrected for the number of comparisons. Null without a test. */
  readonly p: number | null;
  /** Why the case has no more runs, or why the verdict is undecided; null while it has more. */
  readonly reason: JudgementReason | null;
  readonly warnings: readonly ComparisonWarning[];
  /** The judged values; pairs for adaptive runs. */
  readonly samples: RatePair;
}

export function isDifference(verdict: Verdict): boolean {
  return verdict === 'higher' || verdict === 'lower';
}

/** Whether an undecided comparison would stay undecided with more runs. */
export function isWithheld(
  reason: JudgementReason | null,
): reason is 'failed-runs' | 'constant-rates' | 'coarse-rates' {
  return reason === 'failed-runs' || reason === 'constant-rates' || reason === 'coarse-rates';
}

/** The names of a method's figures, the same in every output. */
export interface MethodNames {
  readonly name: string;
  readonly test: string;
  /** The kind of the rates beside the ratio; absent for the means of all runs. */
  readonly rates?: string;
  readonly interval: string;
  readonly source: string;
}

const WIDENED = 'that of a difference widened for the number of comparisons';

export const methods: Readonly<Record<'fixed' | 'sequential', MethodNames>> = {
  fixed: {
    name: 'fixed number of runs',
    test: "Welch's t-test, supported by ranks",
    interval: `Fieller's 95 % interval, ${WIDENED}`,
    source: 'B. L. Welch, Biometrika 34 (1947); E. C. Fieller, J. R. Stat. Soc. B 16 (1954)',
  },
  sequential: {
    name: 'adaptive number of runs',
    test: 'group-sequential paired t-test of log ratios, supported by signed ranks',
    rates: 'geometric means of the runs',
    interval: `the intersection of the repeated confidence intervals of all looks, ${WIDENED} (for no difference, that of two one-sided tests)`,
    source: 'C. Jennison and B. W. Turnbull, J. R. Stat. Soc. B 51 (1989)',
  },
};
