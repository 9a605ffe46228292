import type { RatePair } from '@bench-cli/results';
import type { RatioInterval } from './ratio.ts';
import type { ComparisonWarning } from './warning.ts';

/**
 * How the values of the new subject compare with those of the old one. Whether that is called faster or more depends on what was
 * measured (`verdictWord`).
 * - `higher`, `lower`: they differ.
 * - `same`: the interval of the ratio lies within the margin.
 * - `undecided`: neither was shown.
 */
export type Verdict = 'higher' | 'lower' | 'same' | 'undecided';

/** The significance level of a fixed number of runs, and the accepted share of false verdicts of adaptive ones. */
export const ERROR_RATE = 0.05;

export interface JudgedRatio extends RatioInterval {
  /**
   * Confidence of the interval: 1 - error rate, but 1 - 2 × error rate for the equivalence of adaptive runs, as for two one-sided tests.
   * That of a difference in a list is `1 - riskOfBounds`.
   */
  readonly confidence: number;
}

/**
 * Why a case needs no more runs.
 * - `difference`: the ratio differs from 1, also after the correction for the number of cases.
 * - `equivalence`: the interval of the ratio lies within the margin.
 * - `futility`: the remaining runs are unlikely to bring a verdict.
 * - `limit`: it has all of its runs.
 * - `zero-rate`: a rate is 0, so there is no ratio.
 */
export type StopReason = 'difference' | 'equivalence' | 'futility' | 'limit' | 'zero-rate';

/** The kinds of warnings that say why a comparison is undecided, the first one that applies first. */
export const undecidedKinds = [
  'missing-subject',
  'failed-runs',
  'constant-rates',
  'coarse-rates',
  'too-few-runs',
] as const satisfies readonly ComparisonWarning['kind'][];

export type JudgementReason = StopReason | (typeof undecidedKinds)[number];

/** The statistics of two samples, by either method. The verdict never contradicts the interval. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The mean of the new subject divided by that of the old one, with an interval; null if it has no interval. */
  readonly ratio: JudgedRatio | null;
  /**
   * The two-sided p-value of a ratio of 1 that decides: ranks support it, and it is corrected for the number of comparisons. That of
   * adaptive runs is valid at any time. Null without a test.
   */
  readonly p: number | null;
  /** Why there are no more runs, or why the verdict is undecided; null if runs are missing. */
  readonly reason: JudgementReason | null;
  readonly warnings: readonly ComparisonWarning[];
  /** The values that were judged. Those of adaptive runs are pairs. */
  readonly samples: RatePair;
}

export function isDifference(verdict: Verdict): boolean {
  return verdict === 'higher' || verdict === 'lower';
}

/** Whether more runs would not change that a comparison is undecided. */
export function isWithheld(reason: JudgementReason | null): boolean {
  return reason === 'failed-runs' || reason === 'constant-rates' || reason === 'coarse-rates';
}

/** The names of a method's figures. Every output that shows figures shows these names. */
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
