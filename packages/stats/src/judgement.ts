import type { RatePair } from '@bench-cli/results';
import type { RankTest } from './rank-test.ts';
import type { RatioInterval } from './ratio.ts';
import type { RelativeMeans } from './relative-means.ts';
import type { PairedRates } from './sequential/pair-estimate.ts';
import type { TestResult } from './welch.ts';

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
 * The statistics of two samples, by method. Each variant has the figures of its method only, and its verdict never
 * contradicts its interval.
 */
export type Judgement = FixedJudgement | SequentialJudgement;

interface Judged {
  readonly verdict: Verdict;
  /** The change, a fraction: 0.05 is 5 % higher. Null if a subject has no run, or if the old mean is 0. */
  readonly improvement: number | null;
  /** The mean of the new subject divided by that of the old one, with an interval; null if it has no interval. */
  readonly ratio: JudgedRatio | null;
  /** Two-sided p-value of a ratio of 1; null without a test. */
  readonly p: number | null;
  /** The rates that were judged. Those of adaptive runs are pairs. */
  readonly samples: RatePair;
}

/** Half-widths of the confidence interval of the improvement, as fractions of the old mean. */
export interface Accuracy {
  /** At 5 % risk, the column `accuracy (*)` of compare.R. */
  readonly p05: number;
  /** At 1 % risk, `(**)`. */
  readonly p01: number;
  /** At 0.1 % risk, `(***)`. */
  readonly p001: number;
}

/** The stars of Node core's compare.R for p below 0.05, 0.01 and 0.001. Also empty without a test. */
export type Stars = '' | '*' | '**' | '***';

/**
 * Two samples with a fixed number of runs, compared by Welch's t-test, like Node core's compare.R. Figures that take long are computed on
 * first access.
 */
export interface FixedJudgement extends Judged {
  readonly method: 'fixed';
  readonly test: TestResult;
  /** The p-value of the test with what the runs of rounds share (`chargedMeans`), which decides the verdict; null without a test. */
  readonly pairedP: number | null;
  readonly stars: Stars;
  /** Null without a test, or if the old mean is 0 or almost 0. */
  readonly accuracy: Accuracy | null;
  /** Hedges' g: the difference in standard deviations of a run. */
  readonly effectSize: number | null;
  readonly rankTest: RankTest | null;
  /** The means of both subjects in units of the old mean; null if they have no ratio. */
  readonly relativeMeans: RelativeMeans | null;
}

/**
 * Why a case needs no more runs.
 * - `difference`: the ratio differs from 1, also after the correction for the number of cases.
 * - `equivalence`: the interval of the ratio lies within the margin.
 * - `futility`: the remaining runs are unlikely to bring a verdict.
 * - `limit`: it has the maximum number of runs.
 * - `zero rate`: a rate is 0, so there is no ratio.
 */
export type StopReason = 'difference' | 'equivalence' | 'futility' | 'limit' | 'zero rate';

/** Adaptive runs: pairs of runs that were judged while they came in. */
export interface SequentialJudgement extends Judged {
  readonly method: 'sequential';
  /** Why the case needs no more runs; null while it is open. */
  readonly stopped: StopReason | null;
  readonly runs: number;
  /**
   * Valid at every look, and supported by ranks (`supportedPairP`). 1 before the first look, for equivalence, and for a rate of 0.
   */
  readonly p: number;
  /** `p` after Benjamini and Hochberg's correction for all cases of the command. */
  readonly adjustedP: number;
  readonly samples: PairedRates;
}

/** The names of a method's figures. Every output that shows figures shows these names. */
export interface MethodNames {
  readonly name: string;
  readonly test: string;
  /** The kind of the rates beside the ratio; absent for the means of all runs. */
  readonly rates?: string;
  readonly interval: string;
  /** The rank test; absent if the method has no rank test. */
  readonly rankTest?: string;
  readonly source: string;
}

const WIDENED = 'that of a difference widened for the number of comparisons';

export const methods: Readonly<Record<Judgement['method'], MethodNames>> = {
  fixed: {
    name: 'fixed number of runs',
    test: "Welch's t-test",
    interval: `Fieller's 95 % interval, ${WIDENED}`,
    rankTest: 'Mann-Whitney',
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
