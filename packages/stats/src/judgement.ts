import type { MachineSummary } from './machine.ts';
import type { RankTest } from './mann-whitney.ts';
import type { RatioInterval } from './ratio.ts';
import type { TestResult } from './welch.ts';

/**
 * - `faster`, `slower`: the new subject differs.
 * - `no difference`: the interval of the ratio lies within the margin.
 * - `undecided`: neither; more runs would tell.
 */
export type Verdict = 'faster' | 'slower' | 'no difference' | 'undecided';

/**
 * The statistics of two samples, by the method that made them. Each variant holds what its method gives and nothing else,
 * and its verdict never contradicts its interval.
 */
export type Judgement = FixedJudgement | StratifiedJudgement | SequentialJudgement;

/** What every method gives. */
interface Judged {
  readonly verdict: Verdict;
  /** The change of the rate, a fraction: 0.05 is 5 % faster. Null where it does not exist. */
  readonly improvement: number | null;
  /** How many times as fast the new subject is, with an interval; null where there is none. */
  readonly ratio: RatioInterval | null;
  /** Two-sided p-value of a ratio of 1; null where there is no test. */
  readonly p: number | null;
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

/** As in Node core's compare.R: p below 0.05, 0.01 and 0.001; empty without a test, too. */
export type Stars = '' | '*' | '**' | '***';

/** What tests of a fixed number of runs give. Figures that take long are computed when they are read first. */
interface Tested extends Judged {
  readonly test: TestResult;
  readonly stars: Stars;
  /** Null without a test, and where the old mean is 0 or next to it. */
  readonly accuracy: Accuracy | null;
  /** Hedges' g, in standard deviations of a run. */
  readonly effectSize: number | null;
  readonly rankTest: RankTest | null;
}

/** Two samples with a fixed number of runs: Welch's t-test, as Node core's compare.R. */
export interface FixedJudgement extends Tested {
  readonly method: 'fixed';
}

/** Samples with a fixed number of runs on several machines, compared within each of them. */
export interface StratifiedJudgement extends Tested {
  readonly method: 'stratified';
  /** What each machine says. */
  readonly machines: readonly MachineSummary[];
}

/**
 * Why a case needs no more runs.
 * - `difference`: the ratio differs from 1, also in view of all other cases.
 * - `equivalence`: the interval of the ratio lies within the margin.
 * - `futility`: the rest of the runs would hardly bring a verdict.
 * - `limit`: it has had all its runs.
 * - `zero rate`: a rate of 0, of which no ratio can be formed.
 */
export type StopReason = 'difference' | 'equivalence' | 'futility' | 'limit' | 'zero rate';

/** How many times as fast the new subject is, with an interval that holds at every look. */
export interface SequentialRatio extends RatioInterval {
  /** Of the interval: 1 - error rate; for equivalence 1 - 2 × error rate, as two one-sided tests take it. */
  readonly confidence: number;
}

/** Pairs of runs that were judged while they came in, and ended by what they showed. */
export interface SequentialJudgement extends Judged {
  readonly method: 'sequential';
  /** Why the case needs no more runs; null while it is open. */
  readonly stopped: StopReason | null;
  /** Pairs of runs. */
  readonly runs: number;
  readonly ratio: SequentialRatio | null;
  /** Holds whenever it is read. 1 before the first look, and where equivalence was found. */
  readonly p: number;
  /** `p` after Benjamini and Hochberg's correction for all cases of the command. */
  readonly adjustedP: number;
}

/** What a method calls its figures, for footers, tables, plots, pages and documents. */
export interface Method {
  readonly name: string;
  /** What tests whether the subjects differ. */
  readonly test: string;
  /** What the interval of the ratio is. */
  readonly interval: string;
  /** What the rank test is; absent where the method has none. */
  readonly rankTest?: string;
  readonly source: string;
}

export const methods: Readonly<Record<Judgement['method'], Method>> = {
  fixed: {
    name: 'fixed number of runs',
    test: "Welch's t-test",
    interval: "Fieller's 95 % interval",
    rankTest: 'Mann-Whitney',
    source: 'B. L. Welch, Biometrika 34 (1947); E. C. Fieller, J. R. Stat. Soc. B 16 (1954)',
  },
  stratified: {
    name: 'several machines, compared within each',
    test: "Welch's test of the weighted mean of the machines' differences",
    interval: "Fieller's 95 % interval of the weighted means",
    rankTest: 'van Elteren',
    source: 'W. G. Cochran, Biometrics 10 (1954); B. L. Welch, Biometrika 34 (1947)',
  },
  sequential: {
    name: 'adaptive number of runs',
    test: 'group-sequential test of the log ratio of pairs',
    interval:
      'the intersection of the repeated confidence intervals of all looks (for no difference, that of two one-sided tests)',
    source: 'C. Jennison and B. W. Turnbull, J. R. Stat. Soc. B 51 (1989)',
  },
};
