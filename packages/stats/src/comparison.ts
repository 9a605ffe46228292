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
  isDifference,
  type JudgedRatio,
  type Judgement,
  type JudgementReason,
  undecidedKinds,
  type Verdict,
} from './judgement.ts';
import type { RatioInterval } from './ratio.ts';
import { LARGEST_STEP, ROUNDING, resolutionOf, withStep } from './resolution.ts';
import type { SampleSummary } from './sample.ts';
import { tiedGroups } from './ties.ts';
import { type ComparisonWarning, coarseWarning, failureWarnings, turnsWarnings } from './warning.ts';

/**
 * A case under the baseline and another subject. Its verdict is that after the correction for all cases and subjects. It is undecided in
 * place of `same` if the shares of failed runs differ: what the runs that succeeded show is then no equality.
 */
export interface Comparison extends NamedCase, SubjectPair, OfCommand, Judgement {
  /** The metric of its values; absent for the rate. */
  readonly metric?: MetricDescription | undefined;
  /** Of all runs of the baseline, so that all comparisons of a case have the same. Null if it has no run. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  /**
   * The step of its rates, a fraction (`resolutionOf`), which the interval contains; 0 for rates without steps. If no rate varies, it is the margin
   * for smaller differences, and else the difference, but at most `LARGEST_STEP`.
   */
  readonly step: number;
  /** How many runs failed, if any did: the rates are those of the others. */
  readonly failed?: Readonly<Record<SubjectRole, number>> | undefined;
  readonly inTurns?: RatePair['inTurns'];
  /** Whether there is a difference before the correction, by a p-value that ranks support, and which is not smaller than a step of the rates. */
  readonly isFound: boolean;
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
export interface Method {
  /** How `meanRatio` is made, for the footer of a table. */
  readonly meanRatioText: string;
  /** How to measure more, for a difference that exceeds a gate, but not significantly. */
  readonly moreRunsAdvice: string;
  /**
   * The p-value for the null hypothesis that the true ratio is not beyond a limit: not below a limit under 1, or not above a limit
   * over 1. Twice that of the one-sided test, like the p-values of judgements, and supported by ranks like them. Null without a test.
   */
  pBeyond(comparison: Comparison, limit: number): number | null;
  /**
   * The geometric mean of the ratios of comparisons, with an interval for exactly these cases, whose confidence is at least 95 %: it
   * reflects the noise of the runs, not the choice of the cases.
   * @returns null if a comparison has no ratio, or if there is no comparison
   */
  meanRatio(comparisons: readonly Comparison[]): RatioInterval | null;
  /** The interval, of this comparison alone, whose width shows which differences the runs can find; null if none does. */
  noiseOf(comparison: Comparison): RatioInterval | null;
  /** Half the width of the 95 % interval of the mean of a sample; null for a single run, and if the method allows no such interval. */
  meanHalfWidth(sample: SampleSummary): number | null;
}

interface ListOf {
  /** The smallest difference that matters, a fraction. */
  readonly margin: number;
  /** Names, the baseline first. Empty if there is no comparison. */
  readonly subjects: readonly string[];
  /**
   * With more than two subjects: the subjects that cannot be told apart, by the key of the case. Two subjects are in one group
   * unless their difference is significant. Those other than the baseline are corrected for the number of their own
   * comparisons, so that they do not change the verdicts.
   */
  readonly ties: Readonly<Record<string, Ties>>;
  /** Ordered by `benchmark configuration` in Unicode root collation, like compare.R; then in the order of the subjects. */
  readonly comparisons: readonly Comparison[];
  readonly discoveries: Discoveries;
}

/** The largest groups, of at least two names, in which no two subjects can be told apart. */
export type Ties = readonly (readonly string[])[];

export interface FixedList extends ListOf {
  readonly kind: 'fixed';
}

export interface SequentialList extends ListOf {
  readonly kind: 'sequential';
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
export interface JudgedPairs extends Omit<Discoveries, 'found' | 'significant'> {
  readonly comparisons: readonly Comparison[];
}

export interface PairJudge {
  /** @param pairs each subject with the baseline, for each case */
  judge(pairs: readonly SamplePair[]): JudgedPairs;
  /** Judges the subjects after the baseline with each other, which does not change the other verdicts. */
  judgeOthers(pairs: readonly SamplePair[]): JudgedPairs;
}

/**
 * @param pairs each subject with the baseline, for each case
 * @param margin the smallest difference that matters, a fraction
 */
export function comparisonsOf(judge: PairJudge, pairs: Iterable<SamplePair>, margin: number): ListOf {
  const order = nameOrder();
  const ordered = [...pairs].sort((a, b) => order(caseName(a), caseName(b)));
  const { comparisons, ...counts } = judge.judge(ordered);
  const others = judge.judgeOthers(otherSamplePairs(ordered)).comparisons;
  const subjects = new Set(comparisons.flatMap(({ baseline, subject }) => [baseline, subject]));
  const cases = subjects.size > 2 ? Map.groupBy([...comparisons, ...others], ({ key }) => key) : [];
  return {
    margin,
    comparisons,
    discoveries: {
      ...counts,
      found: comparisons.filter(({ isFound }) => isFound).length,
      significant: comparisons.filter(({ verdict }) => isDifference(verdict)).length,
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
  const apart = comparisons.filter(({ verdict }) => isDifference(verdict));
  return tiedGroups([...measured], (a, b) =>
    apart.every(({ baseline, subject }) => baseline !== a || subject !== b),
  );
}

/** What a method finds of a pair, without regard to the steps of its rates and to failed runs. */
export interface PairJudgement extends Judgement, Pick<Comparison, 'old' | 'new' | 'isFound' | 'metric'> {
  /** The interval of a difference at the risk of its list (`riskOfBounds`); null if it is not bounded. */
  readonly bounded: JudgedRatio | null;
  /** Whether few runs do not meet the assumptions of the method. */
  readonly checksFewRuns: boolean;
}

/** @param margin the smallest difference that matters, a fraction */
export function comparisonOf(pair: SamplePair, judged: PairJudgement, margin: number): Comparison {
  const { rounds: _, ...named } = pair;
  const { bounded, checksFewRuns, ...figures } = judged;
  const { verdict, metric } = judged;
  // Amounts, such as bytes, are counted.
  const resolution = metric === undefined ? resolutionOf([pair]) : 0;
  const estimate = judged.ratio?.ratio ?? Number.POSITIVE_INFINITY;
  const difference = 1 - Math.min(estimate, 1 / estimate);
  const isConstant = !Number.isFinite(resolution);
  const step = isConstant ? Math.max(margin, Math.min(difference, LARGEST_STEP)) : resolution;
  // Rates that never vary and differ by one step tell the direction of the difference, and no more.
  const isOneStep = isConstant && Math.abs(step - difference) < ROUNDING;
  const unstepped = bounded ?? judged.ratio;
  const ratio = unstepped && step > 0 ? withStep(unstepped, step) : unstepped;
  const { low, high } = ratio ?? { low: estimate, high: estimate };
  const isVisible = step === 0 || isOneStep || low > 1 || high < 1;
  const isShown = isDifference(verdict)
    ? isVisible
    : step === 0 || (low > 1 / (1 + margin) && high < 1 + margin);
  // No rate is known to be within the margin of 0.
  const isZero = metric === undefined && ratio === null;
  const isOpen = isDifference(verdict) ? !isVisible : failuresDiffer(pair) || !isShown || isZero;
  const isCoarse = resolution >= margin || (!isShown && verdict !== 'undecided');
  const shownVerdict = isOpen ? 'undecided' : verdict;
  const shown = ratio && (shownVerdict === 'undecided' || isOneStep) ? withOne(ratio) : ratio;
  const isBounded = isDifference(shownVerdict) && bounded !== null && !isOneStep;
  const warnings = [
    ...failureWarnings(pair),
    ...turnsWarnings(pair),
    ...judged.warnings,
    ...(isCoarse ? [coarseWarning(resolution)] : []),
  ];
  let assumptions: readonly SampleAssumption[] | undefined;
  return {
    ...named,
    ...figures,
    verdict: shownVerdict,
    ratio: shown,
    reason: reasonOf(shownVerdict, warnings, judged.reason),
    warnings,
    step,
    isFound: judged.isFound && isVisible,
    leastChange: shown && isBounded ? (verdict === 'higher' ? shown.low : shown.high) - 1 : null,
    get assumptions() {
      assumptions ??= examinePair(pair, checksFewRuns);
      return assumptions;
    },
  };
}

function reasonOf(
  verdict: Verdict,
  warnings: readonly ComparisonWarning[],
  ofMethod: JudgementReason | null,
): JudgementReason | null {
  if (verdict !== 'undecided' || ofMethod === null) return ofMethod;
  return undecidedKinds.find((kind) => warnings.some((each) => each.kind === kind)) ?? ofMethod;
}

/** The interval of a difference that ranks, the correction or the negligible amount do not support: it reaches 1. */
function withOne(ratio: JudgedRatio): JudgedRatio {
  return { ...ratio, low: Math.min(ratio.low, 1), high: Math.max(ratio.high, 1) };
}

function examinePair(pair: SamplePair, checksFewRuns: boolean): SampleAssumption[] {
  return (['old', 'new'] as const).flatMap((subject) =>
    examineSample(pair[subject])
      .filter(({ kind }) => kind !== 'few-runs' || checksFewRuns)
      .map((failure) => ({ ...failure, subject })),
  );
}

/** The risk of the interval of each difference, so that few of the intervals of all differences miss the truth. */
export function riskOfBounds(found: number, tested: number): number {
  return (ERROR_RATE * found) / Math.max(tested, found, 1);
}

/** The largest certain loss first, the largest certain gain last (`leastChange`). Comparisons without a change come last. */
export function sortComparisons(comparisons: readonly Comparison[]): readonly Comparison[] {
  const figure = ({ ratio, leastChange }: Comparison) =>
    ratio === null ? Number.POSITIVE_INFINITY : (leastChange ?? 0);
  return comparisons.toSorted((a, b) => (figure(a) === figure(b) ? 0 : figure(a) - figure(b)));
}

export function verdictCounts(comparisons: readonly Pick<Comparison, 'verdict'>[]): Record<Verdict, number> {
  const counts = { higher: 0, lower: 0, same: 0, undecided: 0 };
  for (const { verdict } of comparisons) counts[verdict]++;
  return counts;
}
