import {
  type AdaptiveSession,
  caseKey,
  caseName,
  comparisonKey,
  type MetricPairs,
  type NamedCase,
  nameOrder,
  otherSamplePairs,
  type SamplePair,
  type SubjectPair,
  type SubjectRole,
} from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import { type AssumptionFailure, examineSample, FEW_RUNS } from './assumption.ts';
import { adjustForNumber, type Correction } from './correction.ts';
import {
  type FixedOptions,
  type JudgedPair,
  judgeFixed,
  judgeStratified,
  meansOf,
} from './fixed-judgement.ts';
import type {
  FixedJudgement,
  Judgement,
  SequentialJudgement,
  StratifiedJudgement,
  Verdict,
} from './judgement.ts';
import { supportedP } from './rank-evidence.ts';
import { ratioInterval } from './ratio.ts';
import { type SampleSummary, summaryOf } from './sample.ts';
import { judgeRuns } from './sequential/paired-runs.ts';
import { sequentialBound } from './sequential/sequential-comparison.ts';
import { checkSequentialOptions, type SequentialFamily } from './sequential/sequential-family.ts';
import { tiedGroups } from './ties.ts';
import { type ComparisonWarning, comparisonWarnings } from './warning.ts';

export interface Comparison<Of extends Judgement = Judgement> extends NamedCase, SubjectPair {
  /** The metric of its values; absent for the rate. */
  readonly metric?: MetricDescription | undefined;
  /** Of the baseline. Null if it has no run. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  readonly judgement: Of;
  /** The p-value of the judgement after the correction for all cases and subjects; null without a test. */
  readonly adjustedP: number | null;
  /**
   * Whether the difference also counts after the correction. For a fixed number of runs: the corrected p-value is below
   * 0.05. For adaptive runs: the verdict, which is always corrected, is higher or lower; Holm's correction must find it, too.
   */
  readonly survives: boolean;
  /**
   * The verdict after the correction, which everything shows: that of the judgement, but `undecided` if its difference does
   * not survive.
   */
  readonly verdict: Verdict;
  /**
   * The least size of a difference that survives, as a change of the rate: -0.03 is "at least 3 % slower". Estimates of the
   * differences that were found are too large on average, because those that chance made smaller were not found. Of all these bounds
   * of a list, at most the share `errorRate` is expected to be wrong. Null without a difference, or if its ratio is not bounded.
   *
   * Method: the end of the interval that is next to 1, at the risk errorRate × differences / comparisons; with Holm's correction
   * errorRate / comparisons.
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
  /** Comparisons whose p-value, supported by ranks, is below the level. */
  readonly found: number;
  /** Comparisons whose difference survives the correction. */
  readonly survive: number;
}

interface ListOf<Of extends Judgement> {
  /** Names, the baseline first. Empty if there is no comparison. */
  readonly subjects: readonly string[];
  /**
   * With more than two subjects: the subjects that cannot be told apart, by the key of the case. Two subjects are in one group
   * unless their difference survives the correction. Those other than the baseline are corrected for the number of their own
   * comparisons, so that they do not change the verdicts.
   */
  readonly ties: Readonly<Record<string, Ties>>;
  /** Ordered by `benchmark configuration` in Unicode root collation, like compare.R; then in the order of the subjects. */
  readonly comparisons: readonly Comparison<Of>[];
  readonly correction: Correction;
  readonly discoveries: Discoveries;
  /** The significance level, or the accepted share of false verdicts. */
  readonly errorRate: number;
  readonly control?: Control | undefined;
}

/** How much the baseline differed from itself, in the first runs. */
export interface Control {
  readonly configurations: number;
  /** The comparison whose estimate is the largest, and how much the larger rate is above the smaller one, a fraction. */
  readonly largest: { readonly comparison: Comparison; readonly size: number } | null;
}

/** The largest groups, of at least two names, in which no two subjects can be told apart. */
export type Ties = readonly (readonly string[])[];

export interface FixedList extends ListOf<FixedJudgement | StratifiedJudgement> {
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

/** The significance level for a fixed number of runs. */
const LEVEL = 0.05;

/**
 * Judges cases with a fixed number of runs. A case that several machines measured is compared within each machine.
 * @param pairs each subject with the baseline, for each case
 * @throws UsageError as `judgeFixed`
 */
export function compareFixed(
  pairs: Iterable<SamplePair>,
  options?: FixedOptions,
  correction?: Correction,
): FixedList {
  return fixedList(pairs, { options, correction });
}

/**
 * Judges metrics, whose number of runs is fixed. They are one family: the p-values of each metric are corrected for the number of
 * comparisons of all of them, so that the guarantee of the correction holds for all metrics together. It does not cover the rates.
 */
export function compareMetrics(
  metrics: readonly MetricPairs[],
  correction?: Correction,
): readonly MetricList[] {
  const size = metrics.reduce((sum, { pairs }) => sum + pairs.length, 0);
  return metrics.map(({ metric, pairs }) => ({
    metric,
    list: fixedList(pairs, { options: { negligible: metric.negligible }, correction, size, metric }),
  }));
}

interface FixedRule {
  readonly options?: FixedOptions | undefined;
  readonly correction?: Correction | undefined;
  /** The number of tests for which p-values are corrected, if other lists count; default: those of the list. */
  readonly size?: number;
  readonly metric?: MetricDescription;
}

function fixedList(pairs: Iterable<SamplePair>, rule: FixedRule): FixedList {
  const ordered = inOrder(pairs);
  const { comparisons, found } = judgedByTest(ordered, rule);
  const others = judgedByTest(otherSamplePairs(ordered), { ...rule, size: 0 }).comparisons;
  const tested = comparisons.filter(({ judgement }) => judgement.p !== null).length;
  const counts = { tested, corrected: Math.max(rule.size ?? 0, tested), found };
  return {
    kind: 'fixed',
    correction: rule.correction ?? 'benjamini-hochberg',
    errorRate: LEVEL,
    ...listed(comparisons, others, counts),
  };
}

function judgedByTest(
  pairs: readonly SamplePair[],
  { options, correction = 'benjamini-hochberg', size = 0, metric }: FixedRule,
): Pick<FixedList, 'comparisons'> & Pick<Discoveries, 'found'> {
  const judged = pairs.map((pair) => {
    const { machines = [] } = pair;
    return {
      pair,
      ...(machines.length > 1 ? judgeStratified(machines, options) : judgeFixed(pair, options)),
    };
  });
  const ps = judged.map(({ judgement: { p, samples, verdict } }) =>
    p === null ? null : supportedP(p, LEVEL, samples, verdict === 'higher' ? 1 : -1),
  );
  const adjusted = adjustForNumber(ps, correction, size);
  const isFound = (p: number | null) => p !== null && p < LEVEL;
  const tested = Math.max(size, ps.filter((p) => p !== null).length);
  const risk = riskOfBounds(LEVEL, correction, { found: adjusted.filter(isFound).length, tested });
  const comparisons = judged.map(({ pair, ...of }, at) => {
    const survives = (adjusted[at] ?? 1) < LEVEL;
    const leastChange = survives ? leastChangeOf(of, risk) : null;
    const corrected = { metric, adjustedP: adjusted[at] ?? null, survives, leastChange };
    return comparison<FixedJudgement | StratifiedJudgement>(pair, { ...of, ...corrected });
  });
  return { comparisons, found: ps.filter(isFound).length };
}

/** The risk of the interval of each difference, so that few of the bounds of all differences are wrong. */
function riskOfBounds(
  errorRate: number,
  correction: Correction,
  { found, tested }: { readonly found: number; readonly tested: number },
): number {
  return (errorRate * (correction === 'holm' ? 1 : found)) / Math.max(tested, found, 1);
}

function leastChangeOf(of: JudgedPair<FixedJudgement | StratifiedJudgement>, risk: number): number | null {
  const means = meansOf(of);
  const interval = means && ratioInterval(means, risk);
  if (interval === null) return null;
  return of.judgement.verdict === 'higher' ? Math.max(0, interval.low - 1) : Math.min(0, interval.high - 1);
}

/**
 * Judges adaptive runs in the same way as while they came in.
 * @param pairs the samples to list, of each subject with the baseline. Each is judged in view of all runs, also if only some
 *   samples are listed.
 * @param correction of the p-values that are shown. Verdicts have Benjamini and Hochberg's, which decided when cases stopped.
 * @throws UsageError as `SequentialFamily`
 */
export function compareSequentially(
  { runs, subjects, options, cases }: AdaptiveSession,
  pairs: Iterable<SamplePair>,
  correction: Correction = 'benjamini-hochberg',
): SequentialList {
  const { errorRate, margin, maxRuns } = checkSequentialOptions(options);
  const keyed = runs.map(({ values, ...run }) => ({ ...run, rate: values.rate, key: caseKey(run) }));
  const { withBaseline, ofOthers } = judgeRuns(keyed, subjects, options, cases);
  const ordered = inOrder(pairs);
  const comparisons = judgedInFamily(ordered, withBaseline, errorRate, correction);
  const others = judgedInFamily(otherSamplePairs(ordered), ofOthers, errorRate, correction);
  const counts = {
    tested: comparisons.filter(({ judgement }) => judgement.ratio !== null).length,
    corrected: withBaseline.size,
    found: comparisons.filter(({ judgement }) => judgement.p <= errorRate).length,
  };
  const list = listed(comparisons, others, counts);
  const { extendedFrom } = options;
  return { kind: 'sequential', correction, errorRate, margin, maxRuns, extendedFrom, ...list };
}

function judgedInFamily(
  pairs: readonly SamplePair[],
  family: SequentialFamily,
  errorRate: number,
  correction: Correction,
): SequentialList['comparisons'] {
  const adjusted = family.adjusted(correction);
  const judged = (key: string) => {
    const judgement = family.judgement(key);
    const adjustedP = adjusted.get(key) ?? 1;
    const survives = isDifference(judgement.verdict) && (correction !== 'holm' || adjustedP <= errorRate);
    return { judgement, adjustedP, survives };
  };
  // Also those that are not listed, so that a comparison has the same bound in each list of its session.
  const found = [...adjusted.keys()].filter((key) => judged(key).survives).length;
  const risk = riskOfBounds(errorRate, correction, { found, tested: family.size });
  return pairs.map((pair) => {
    const of = judged(comparisonKey(pair));
    const leastChange = of.survives ? Math.expm1(sequentialBound(of.judgement, risk, family.boundary)) : null;
    const sides = { old: summaryOf(pair.old), new: summaryOf(pair.new) };
    return comparison(pair, { ...of, ...sides, leastChange });
  });
}

/** @param others the comparisons of the subjects after the baseline with each other */
function listed<Of extends Judgement>(
  comparisons: readonly Comparison<Of>[],
  others: readonly Comparison[],
  counts: Omit<Discoveries, 'survive'>,
): Omit<ListOf<Of>, 'correction' | 'errorRate' | 'control'> {
  const subjects = new Set(comparisons.flatMap(({ baseline, subject }) => [baseline, subject]));
  const cases = subjects.size > 2 ? Map.groupBy([...comparisons, ...others], ({ key }) => key) : [];
  return {
    comparisons,
    discoveries: { ...counts, survive: comparisons.filter(({ survives }) => survives).length },
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
  const apart = comparisons.filter(({ survives }) => survives);
  return tiedGroups([...measured], (a, b) =>
    apart.every(({ baseline, subject }) => baseline !== a || subject !== b),
  );
}

function comparison<Of extends Judgement>(
  pair: SamplePair,
  of: Pick<Comparison<Of>, 'old' | 'new' | 'judgement' | 'metric' | 'adjustedP' | 'survives' | 'leastChange'>,
): Comparison<Of> {
  const { machines: _, ...named } = pair;
  let assumptions: readonly SampleAssumption[] | undefined;
  return {
    ...named,
    ...of,
    verdict: isDifference(of.judgement.verdict) && !of.survives ? 'undecided' : of.judgement.verdict,
    warnings: comparisonWarnings({ ...named, ...of }),
    get assumptions() {
      assumptions ??= examinePair(pair, of.judgement.method === 'sequential' ? 0 : FEW_RUNS);
      return assumptions;
    },
  };
}

function isDifference(verdict: Verdict): boolean {
  return verdict === 'higher' || verdict === 'lower';
}

function inOrder(pairs: Iterable<SamplePair>): SamplePair[] {
  const order = nameOrder();
  return [...pairs].sort((a, b) => order(caseName(a), caseName(b)));
}

/**
 * Examines each machine separately: a difference between machines is neither an outlier nor a second mode.
 * @param fewRuns fewer runs are a failure; adaptive runs are few on purpose
 */
function examinePair({ machines = [], ...pair }: SamplePair, fewRuns: number): SampleAssumption[] {
  return (['old', 'new'] as const).flatMap((subject) => {
    const n = pair[subject].length;
    return (machines.length < 2 ? [pair] : machines)
      .flatMap((machine) => examineSample(machine[subject]))
      .filter(({ kind }) => kind !== 'few-runs' || n < fewRuns)
      .map((failure) => ({ ...failure, subject }));
  });
}

/** A list with its comparisons changed, or in another order. */
export function withComparisons(
  list: ComparisonList,
  change: <Of extends Comparison>(comparisons: readonly Of[]) => readonly Of[],
): ComparisonList {
  return list.kind === 'fixed'
    ? { ...list, comparisons: change(list.comparisons) }
    : { ...list, comparisons: change(list.comparisons) };
}

/**
 * `effect`: the largest certain loss first, the largest certain gain last (`leastChange`); `p`: the smallest p-value first; `name`: like
 * compare.R.
 */
export type ComparisonOrder = 'name' | 'effect' | 'p';

/** Sorts comparisons that are in the order of their names. Comparisons without the figure come last. */
export function sortComparisons<Item extends Comparison>(
  comparisons: readonly Item[],
  order: ComparisonOrder,
): readonly Item[] {
  if (order === 'name') return comparisons;
  const figure = ({ judgement: { improvement, p }, leastChange }: Item) =>
    (order === 'p' ? p : improvement && (leastChange ?? 0)) ?? Number.POSITIVE_INFINITY;
  return comparisons.toSorted((a, b) => (figure(a) === figure(b) ? 0 : figure(a) - figure(b)));
}
