import {
  caseName,
  type NamedCase,
  nameOrder,
  type OfCommand,
  otherSamplePairs,
  type RatePair,
  type SamplePair,
  type SubjectPair,
  type SubjectRole,
} from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import { type AssumptionFailure, examineSample } from './assumption.ts';
import { failuresDiffer } from './failure-share.ts';
import {
  ERROR_RATE,
  type FixedJudgement,
  type JudgedRatio,
  type Judgement,
  type SequentialJudgement,
  type Verdict,
} from './judgement.ts';
import type { RatioInterval } from './ratio.ts';
import { LARGEST_STEP, ROUNDING, resolutionOf, withStep } from './resolution.ts';
import type { SampleSummary } from './sample.ts';
import { tiedGroups } from './ties.ts';
import { type ComparisonWarning, coarseWarning, failureWarnings, turnsWarnings } from './warning.ts';

export interface Comparison<Of extends Judgement = Judgement> extends NamedCase, SubjectPair, OfCommand {
  /** The metric of its values; absent for the rate. */
  readonly metric?: MetricDescription | undefined;
  /** Of all runs of the baseline, so that all comparisons of a case have the same. Null if it has no run. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  readonly judgement: Of;
  /**
   * The step of its rates, a fraction (`resolutionOf`), which the interval contains; 0 for rates without steps. If no rate varies, it is the margin
   * for smaller differences, and else the difference, but at most `LARGEST_STEP`.
   */
  readonly step: number;
  /** How many runs failed, if any did: the rates are those of the others. */
  readonly failed?: Readonly<Record<SubjectRole, number>> | undefined;
  readonly inTurns?: RatePair['inTurns'];
  /** The p-value of the judgement after the correction for all cases and subjects; null without a test. */
  readonly adjustedP: number | null;
  /** Whether there is a difference before the correction, by a p-value that ranks support, and which is not smaller than a step of the rates. */
  readonly isFound: boolean;
  /**
   * Whether there is a difference after the correction. For a fixed number of runs: the corrected p-value is below
   * 0.05. For adaptive runs: the verdict, which is always corrected, is higher or lower.
   */
  readonly isSignificant: boolean;
  /**
   * The verdict after the correction, which everything shows: that of the judgement, but `undecided` if its difference is not
   * significant, and in place of `same` if the shares of failed runs differ: what the runs that succeeded show is then no equality.
   */
  readonly verdict: Verdict;
  /**
   * The least size of a significant difference, as a change of the rate: -0.03 is "at least 3 % slower". It is the end of the
   * interval that is next to 1. Estimates of the differences that were found are too large on average, because those that chance made
   * smaller were not found. Of the intervals of all differences of a list, at most the share `ERROR_RATE` is expected to miss the truth.
   * Null without a difference, if its ratio is not bounded, or if rates that never vary differ by one step.
   *
   * Method: intervals at the risk ERROR_RATE × differences / comparisons.
   * Source: Y. Benjamini and D. Yekutieli, "False discovery rate-adjusted multiple confidence intervals for selected parameters",
   * J. Am. Stat. Assoc. 100 (2005).
   */
  readonly leastChange: number | null;
  readonly warnings: readonly ComparisonWarning[];
  /** Where the samples do not meet the assumptions of the method. Computed on first access. */
  readonly assumptions: readonly SampleAssumption[];
}

export type SampleAssumption = AssumptionFailure & { readonly subject: SubjectRole };

/** How many differences were found before and after the correction for the number of comparisons. */
export interface Discoveries {
  readonly tested: number;
  /** The number for which p-values are corrected. It also counts tests and cases of the same family that are not listed. */
  readonly corrected: number;
  /** Comparisons with a difference before the correction. */
  readonly found: number;
  /** Comparisons whose difference is significant after the correction. */
  readonly significant: number;
}

/** How a list was judged: what depends on it and is no value of a comparison is asked here (`methodOf`). */
export interface Method<Of extends Judgement = Judgement> {
  /** How `meanRatio` is made, for the footer of a table. */
  readonly meanRatioText: string;
  /** How to measure more, for a difference that exceeds a gate, but not significantly. */
  readonly moreRunsAdvice: string;
  /**
   * The p-value for the null hypothesis that the true ratio is not beyond a limit: not below a limit under 1, or not above a limit
   * over 1. Twice that of the one-sided test, like the p-values of judgements, and supported by ranks like them. Null without a test.
   */
  pBeyond(comparison: Comparison<Of>, limit: number): number | null;
  /**
   * The geometric mean of the ratios of comparisons, with an interval for exactly these cases, whose confidence is at least 95 %: it
   * reflects the noise of the runs, not the choice of the cases.
   * @returns null if a comparison has no ratio, or if there is no comparison
   */
  meanRatio(comparisons: readonly Comparison<Of>[]): RatioInterval | null;
  /** The interval, of this comparison alone, whose width shows which differences the runs can find; null if none does. */
  noiseOf(comparison: Comparison<Of>): RatioInterval | null;
  /** Half the width of the 95 % interval of the mean of a sample; null for a single run, and if the method allows no such interval. */
  meanHalfWidth(sample: SampleSummary): number | null;
}

interface ListOf<Of extends Judgement> {
  /** Names, the baseline first. Empty if there is no comparison. */
  readonly subjects: readonly string[];
  /**
   * With more than two subjects: the subjects that cannot be told apart, by the key of the case. Two subjects are in one group
   * unless their difference is significant. Those other than the baseline are corrected for the number of their own
   * comparisons, so that they do not change the verdicts.
   */
  readonly ties: Readonly<Record<string, Ties>>;
  /** Ordered by `benchmark configuration` in Unicode root collation, like compare.R; then in the order of the subjects. */
  readonly comparisons: readonly Comparison<Of>[];
  readonly discoveries: Discoveries;
}

/** The largest groups, of at least two names, in which no two subjects can be told apart. */
export type Ties = readonly (readonly string[])[];

export interface FixedList extends ListOf<FixedJudgement> {
  readonly kind: 'fixed';
}

export interface SequentialList extends ListOf<SequentialJudgement> {
  readonly kind: 'sequential';
  /** The smallest difference that matters, a fraction. */
  readonly margin: number;
  /** The maximum number of runs of each case under each subject. */
  readonly maxRuns: number;
  /** The maximum before each extension of the session. */
  readonly extendedFrom?: readonly number[] | undefined;
}

/** All comparisons of a session. */
export type ComparisonList = FixedList | SequentialList;

export interface MetricList {
  readonly metric: MetricDescription;
  readonly list: FixedList;
}

/** Comparisons as a method judges them, before they are listed. */
export interface JudgedPairs<Of extends Judgement> extends Omit<Discoveries, 'found' | 'significant'> {
  readonly comparisons: readonly Comparison<Of>[];
}

export interface PairJudge<Of extends Judgement> {
  /** @param pairs each subject with the baseline, for each case */
  judge(pairs: readonly SamplePair[]): JudgedPairs<Of>;
  /** Judges the subjects after the baseline with each other, which does not change the other verdicts. */
  judgeOthers(pairs: readonly SamplePair[]): JudgedPairs<Of>;
}

/** @param pairs each subject with the baseline, for each case */
export function listOf<Of extends Judgement>(judge: PairJudge<Of>, pairs: Iterable<SamplePair>): ListOf<Of> {
  const order = nameOrder();
  const ordered = [...pairs].sort((a, b) => order(caseName(a), caseName(b)));
  const { comparisons, ...counts } = judge.judge(ordered);
  const others = judge.judgeOthers(otherSamplePairs(ordered)).comparisons;
  const subjects = new Set(comparisons.flatMap(({ baseline, subject }) => [baseline, subject]));
  const cases = subjects.size > 2 ? Map.groupBy([...comparisons, ...others], ({ key }) => key) : [];
  return {
    comparisons,
    discoveries: {
      ...counts,
      found: comparisons.filter(({ isFound }) => isFound).length,
      significant: comparisons.filter(({ isSignificant }) => isSignificant).length,
    },
    subjects: [...subjects],
    ties: Object.fromEntries(Array.from(cases, ([key, ofCase]) => [key, tiesOf(ofCase)])),
  };
}

/** @param comparisons of all pairs of subjects of one case; subjects without a run are in no group */
function tiesOf(comparisons: readonly Comparison[]): Ties {
  const measured = new Set(
    comparisons.flatMap(({ baseline, subject, old, new: new_ }) => [
      ...(old === null ? [] : [baseline]),
      ...(new_ === null ? [] : [subject]),
    ]),
  );
  const apart = comparisons.filter(({ isSignificant }) => isSignificant);
  return tiedGroups([...measured], (a, b) =>
    apart.every(({ baseline, subject }) => baseline !== a || subject !== b),
  );
}

/**
 * Completes what a method says of a pair.
 * @param rule.warnsOfFewRuns whether few runs do not meet the assumptions of the method
 * @param rule.margin the smallest difference that matters, a fraction
 */
export function comparisonOf<Of extends Judgement>(
  pair: SamplePair,
  judged: Omit<
    Comparison<Of>,
    keyof NamedCase | keyof SubjectPair | keyof OfCommand | 'verdict' | 'step' | 'assumptions' | 'leastChange'
  > & {
    /** The interval of a significant difference at the risk of its list (`riskOfBounds`); null if it is not bounded. */
    readonly bounded: JudgedRatio | null;
  },
  { warnsOfFewRuns, margin }: { readonly warnsOfFewRuns: boolean; readonly margin: number },
): Comparison<Of> {
  const { rounds: _, ...named } = pair;
  const { bounded, ...figures } = judged;
  const { verdict, improvement } = judged.judgement;
  // Amounts, such as bytes, are counted.
  const resolution = judged.metric === undefined ? resolutionOf([pair]) : 0;
  const estimate = 1 + (improvement ?? 1);
  const difference = 1 - Math.min(estimate, 1 / estimate);
  const isConstant = !Number.isFinite(resolution);
  const step = isConstant ? Math.max(margin, Math.min(difference, LARGEST_STEP)) : resolution;
  // Rates that never vary and differ by one step tell the direction of the difference, and no more.
  const isOneStep = isConstant && Math.abs(step - difference) < ROUNDING;
  const corrected = bounded ?? judged.judgement.ratio;
  const ratio = corrected && step > 0 ? withStep(corrected, step) : corrected;
  const { low, high } = ratio ?? { low: estimate, high: estimate };
  const isVisible = step === 0 || isOneStep || low > 1 || high < 1;
  const isShown = isDifference(verdict)
    ? isVisible
    : step === 0 || (low > 1 / (1 + margin) && high < 1 + margin);
  const isSignificant = judged.isSignificant && isVisible;
  // No rate is known to be within the margin of 0.
  const isZero = judged.metric === undefined && ratio === null;
  const isOpen = isDifference(verdict) ? !isSignificant : failuresDiffer(pair) || !isShown || isZero;
  const isCoarse = resolution >= margin || (!isShown && verdict !== 'undecided');
  const shownVerdict = isOpen ? 'undecided' : verdict;
  const shown = ratio && (shownVerdict === 'undecided' || isOneStep) ? withOne(ratio) : ratio;
  let assumptions: readonly SampleAssumption[] | undefined;
  return {
    ...named,
    ...figures,
    judgement: withRatio(judged.judgement, shown),
    step,
    isFound: judged.isFound && isVisible,
    isSignificant,
    leastChange:
      isSignificant && bounded && shown && !isOneStep
        ? (verdict === 'higher' ? shown.low : shown.high) - 1
        : null,
    warnings: [
      ...failureWarnings(pair),
      ...turnsWarnings(pair),
      ...judged.warnings,
      ...(isCoarse ? [coarseWarning(resolution)] : []),
    ],
    verdict: shownVerdict,
    get assumptions() {
      assumptions ??= examinePair(pair, warnsOfFewRuns);
      return assumptions;
    },
  };
}

/** A judgement with another interval; what it computes late stays uncomputed. */
function withRatio<Of extends Judgement>(judgement: Of, ratio: JudgedRatio | null): Of {
  return Object.defineProperty(judgement, 'ratio', { value: ratio });
}

/** The interval of a difference that ranks, the correction or the negligible amount do not support: it reaches 1. */
function withOne(ratio: JudgedRatio): JudgedRatio {
  return { ...ratio, low: Math.min(ratio.low, 1), high: Math.max(ratio.high, 1) };
}

export function isDifference(verdict: Verdict): boolean {
  return verdict === 'higher' || verdict === 'lower';
}

function examinePair(pair: SamplePair, warnsOfFewRuns: boolean): SampleAssumption[] {
  return (['old', 'new'] as const).flatMap((subject) =>
    examineSample(pair[subject])
      .filter(({ kind }) => kind !== 'few-runs' || warnsOfFewRuns)
      .map((failure) => ({ ...failure, subject })),
  );
}

/** The risk of the interval of each difference, so that few of the intervals of all differences miss the truth. */
export function riskOfBounds(found: number, tested: number): number {
  return (ERROR_RATE * found) / Math.max(tested, found, 1);
}

/** The largest certain loss first, the largest certain gain last (`leastChange`). Comparisons without a change come last. */
export function sortComparisons(comparisons: readonly Comparison[]): readonly Comparison[] {
  const figure = ({ judgement: { improvement }, leastChange }: Comparison) =>
    (improvement && (leastChange ?? 0)) ?? Number.POSITIVE_INFINITY;
  return comparisons.toSorted((a, b) => (figure(a) === figure(b) ? 0 : figure(a) - figure(b)));
}

export function verdictCounts(comparisons: readonly Pick<Comparison, 'verdict'>[]): Record<Verdict, number> {
  const counts = { higher: 0, lower: 0, same: 0, undecided: 0 };
  for (const { verdict } of comparisons) counts[verdict]++;
  return counts;
}
