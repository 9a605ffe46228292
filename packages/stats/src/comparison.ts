import {
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
import { failuresDiffer, hasFailedSide } from './failure-share.ts';
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
import { type ComparisonWarning, coarseWarning, pairWarnings } from './warning.ts';

/**
 * A case under the baseline and another subject. `failed` means that a side has only failed runs. `undecided`
 * replaces `same` if the shares of failed runs differ, because the successful runs alone do not show
 * equality.
 */
export interface Comparison extends NamedCase, SubjectPair, OfCommand, Judgement {
  /** The metric of the values; absent for the rate. */
  readonly metric?: MetricDescription | undefined;
  /** Of all runs of the baseline, also of runs without a partner. Null without a run. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  /** Why the case has no more runs, or why the verdict is undecided. */
  readonly reason: JudgementReason;
  /**
   * The step of the rates, a fraction (`resolutionOf`); 0 for rates without steps. If no rate varies, the
   * step is the difference, but at least the margin and at most `LARGEST_STEP`.
   */
  readonly step: number;
  /** The number of failed runs, if any failed. Rates come from the other runs. */
  readonly failed?: Readonly<Record<SubjectRole, number>> | undefined;
  readonly inTurns?: RatePair['inTurns'];
  readonly byCpuTime?: RatePair['byCpuTime'];
  readonly sampling?: RatePair['sampling'];
  /** Whether ranks support a difference of at least a step before the correction. */
  readonly isFound: boolean;
  /**
   * The least size of a significant difference, as a change of the rate: -0.03 is "at least 3 % slower". It
   * is the end of the interval that is closest to 1. The estimates of significant differences are too large
   * on average, because chance hides those that it makes smaller. At most the share `ERROR_RATE` of the
   * intervals of all differences of a list is expected to miss the truth. Null without a difference, without
   * a bounded ratio, or if rates that never vary differ by one step.
   * Method: intervals at the risk ERROR_RATE × differences / comparisons.
   * Source: Y. Benjamini and D. Yekutieli, "False discovery rate-adjusted multiple confidence intervals for
   * selected parameters", J. Am. Stat. Assoc. 100 (2005).
   */
  readonly leastChange: number | null;
  /** How the samples fail the assumptions of the method. Computed on first access. */
  readonly assumptions: readonly SampleAssumption[];
}

export type SampleAssumption = AssumptionFailure & { readonly subject: SubjectRole };

/** The number of differences before and after the correction for the number of comparisons. */
export interface Discoveries {
  readonly tested: number;
  /** The number for which p-values are corrected, including tests and cases outside the list. */
  readonly corrected: number;
  /** Comparisons with a difference before the correction. */
  readonly found: number;
  /** Comparisons whose difference is significant after the correction. */
  readonly significant: number;
}

/** The method of a list (`methodOf`): what depends on it and is not a value of a comparison. */
export interface Method {
  /** How `meanRatio` is computed, for the footer of a table. */
  readonly meanRatioText: string;
  /** How to measure more if a difference exceeds a gate, but not significantly. */
  readonly moreRunsAdvice: string;
  /**
   * The p-value of the null hypothesis that the true ratio is not beyond a limit: not below a limit under 1,
   * or not above a limit over 1. It is twice the one-sided p-value, and ranks support it. Null without a
   * test.
   */
  pBeyond(comparison: Comparison, limit: number): number | null;
  /**
   * The geometric mean of the ratios of comparisons, with an interval of at least 95 % for exactly these
   * cases: it reflects the noise of the runs, not the choice of the cases.
   * @returns null without a comparison, or if a comparison has no ratio
   */
  meanRatio(comparisons: readonly Comparison[]): RatioInterval | null;
  /** The uncorrected interval whose width shows the differences that runs can find; null without one. */
  noiseOf(comparison: Comparison): RatioInterval | null;
  /** Half the width of the 95 % interval of the mean; null without one. */
  meanHalfWidth(sample: SampleSummary): number | null;
}

interface ListOf {
  /** The smallest difference that matters, a fraction. */
  readonly margin: number;
  /** Names, the baseline first. Empty if there is no comparison. */
  readonly subjects: readonly string[];
  /**
   * Groups of subjects without a significant difference, by the key of the case, for more than two subjects.
   * Comparisons without the baseline are corrected for their own number, so that they do not change the
   * verdicts.
   */
  readonly ties: Readonly<Record<string, Ties>>;
  /** Failed ones first; then by `benchmark configuration` in root collation, as in compare.R; by subject. */
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

/** Comparisons of a method, before they are listed. */
export interface JudgedPairs extends Omit<Discoveries, 'found' | 'significant'> {
  readonly comparisons: readonly Comparison[];
}

/**
 * @param judge `areOthers`: the pairs are those of the subjects after the baseline with each other, which
 * have no influence on the other verdicts
 */
export function comparisonsOf(
  judge: (pairs: readonly SamplePair[], areOthers: boolean) => JudgedPairs,
  pairs: Iterable<SamplePair>,
  margin: number,
): ListOf {
  const order = nameOrder();
  const ordered = [...pairs].sort((a, b) => order(`${a.benchmark} ${a.text}`, `${b.benchmark} ${b.text}`));
  const { comparisons, ...counts } = judge(ordered, false);
  const others = judge(otherSamplePairs(ordered), true).comparisons;
  const subjects = new Set(comparisons.flatMap(({ baseline, subject }) => [baseline, subject]));
  const cases = subjects.size > 2 ? Map.groupBy([...comparisons, ...others], ({ key }) => key) : [];
  return {
    margin,
    comparisons: [
      ...comparisons.filter(({ verdict }) => verdict === 'failed'),
      ...comparisons.filter(({ verdict }) => verdict !== 'failed'),
    ],
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
  const sides = comparisons.flatMap((it) => [it.old && it.baseline, it.new && it.subject]);
  const measured = new Set(sides.filter((name) => name !== null));
  const apart = comparisons.filter(({ verdict }) => isDifference(verdict));
  return tiedGroups([...measured], (a, b) =>
    apart.every(({ baseline, subject }) => baseline !== a || subject !== b),
  );
}

/** The findings of a method about a pair, without regard to steps of rates and to failed runs. */
export interface PairJudgement
  extends Omit<Judgement, 'reason'>,
    Pick<Comparison, 'old' | 'new' | 'isFound' | 'metric' | 'reason'> {
  /** The interval of a difference at the risk of its list (`riskOfBounds`); null if not bounded. */
  readonly bounded: JudgedRatio | null;
  /** Whether to report few runs as a failed assumption. */
  readonly checksFewRuns: boolean;
}

export function comparisonOf(pair: SamplePair, judged: PairJudgement, margin: number): Comparison {
  const { rounds: _, ...named } = pair;
  const { bounded, checksFewRuns, ...figures } = judged;
  const { verdict, metric } = judged;
  // Amounts, such as bytes, are counted, so they have no steps.
  const resolution = metric === undefined ? resolutionOf([pair]) : 0;
  const estimate = judged.ratio?.ratio ?? Number.POSITIVE_INFINITY;
  const difference = 1 - Math.min(estimate, 1 / estimate);
  const isConstant = !Number.isFinite(resolution);
  const step = isConstant ? Math.max(margin, Math.min(difference, LARGEST_STEP)) : resolution;
  // Rates that never vary and differ by one step show only the direction of the difference.
  const isOneStep = isConstant && Math.abs(step - difference) < ROUNDING;
  const unstepped = bounded ?? judged.ratio;
  const ratio = unstepped && step > 0 ? withStep(unstepped, step) : unstepped;
  const { low, high } = ratio ?? { low: estimate, high: estimate };
  const isVisible = step === 0 || isOneStep || low > 1 || high < 1;
  const isShown = isDifference(verdict)
    ? isVisible
    : step === 0 || (low > 1 / (1 + margin) && high < 1 + margin);
  // A rate of 0 has no ratio, so it cannot be shown to be the same.
  const isZero = metric === undefined && ratio === null;
  const isOpen = isDifference(verdict) ? !isVisible : failuresDiffer(pair) || !isShown || isZero;
  const isCoarse = resolution >= margin || (!isShown && verdict !== 'undecided');
  const isFailed = hasFailedSide(pair);
  const shownVerdict = isFailed ? 'failed' : isOpen ? 'undecided' : verdict;
  // It contains 1 if ranks, the correction or the negligible amount reject the difference.
  const isWithOne = shownVerdict === 'undecided' || isOneStep;
  const shown = ratio && isWithOne ? { ...ratio, low: Math.min(low, 1), high: Math.max(high, 1) } : ratio;
  const isBounded = isDifference(shownVerdict) && bounded !== null && !isOneStep;
  // There is nothing to say about the rates of one side.
  const warnings: ComparisonWarning[] = isFailed
    ? []
    : [...pairWarnings(pair), ...judged.warnings, ...(isCoarse ? [coarseWarning(resolution)] : [])];
  let assumptions: readonly SampleAssumption[] | undefined;
  return {
    ...named,
    ...figures,
    verdict: shownVerdict,
    p: isFailed ? null : judged.p,
    ratio: shown,
    reason: reasonOf(shownVerdict, warnings, judged.reason),
    warnings,
    step,
    isFound: judged.isFound && isVisible,
    leastChange: shown && isBounded ? (verdict === 'higher' ? shown.low : shown.high) - 1 : null,
    get assumptions() {
      assumptions ??= isFailed ? [] : examinePair(pair, checksFewRuns);
      return assumptions;
    },
  };
}

function reasonOf(
  verdict: Verdict,
  warnings: readonly ComparisonWarning[],
  ofMethod: JudgementReason,
): JudgementReason {
  if (verdict === 'failed') return 'failed-runs';
  if (verdict !== 'undecided' || ofMethod === 'interrupted') return ofMethod;
  return undecidedKinds.find((kind) => warnings.some((each) => each.kind === kind)) ?? ofMethod;
}

function examinePair(pair: SamplePair, checksFewRuns: boolean): SampleAssumption[] {
  return (['old', 'new'] as const).flatMap((subject) =>
    examineSample(pair[subject])
      .filter(({ kind }) => kind !== 'few-runs' || checksFewRuns)
      .map((failure) => ({ ...failure, subject })),
  );
}

/** The risk of the interval of each difference. It keeps the share of intervals that miss the truth low. */
export function riskOfBounds(found: number, tested: number): number {
  return (ERROR_RATE * found) / Math.max(tested, found, 1);
}

/** Sorts from the largest certain loss to the largest certain gain (`leastChange`); missing ratios last. */
export function sortComparisons(comparisons: readonly Comparison[]): readonly Comparison[] {
  const figure = ({ ratio, leastChange }: Comparison) =>
    ratio === null ? Number.POSITIVE_INFINITY : (leastChange ?? 0);
  return comparisons.toSorted((a, b) => (figure(a) === figure(b) ? 0 : figure(a) - figure(b)));
}

export function verdictCounts(comparisons: readonly Pick<Comparison, 'verdict'>[]): Record<Verdict, number> {
  const counts = { failed: 0, higher: 0, lower: 0, same: 0, undecided: 0 };
  for (const { verdict } of comparisons) counts[verdict]++;
  return counts;
}
