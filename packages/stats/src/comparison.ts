import {
  type ComparedRun,
  caseKey,
  caseName,
  type NamedCase,
  nameOrder,
  type SamplePair,
  type SubjectRole,
} from '@bench-cli/results';
import { type AssumptionFailure, examineSample, FEW_RUNS } from './assumption.ts';
import { adjustForNumber, type Correction } from './correction.ts';
import type { FixedJudgement, Judgement, SequentialJudgement, StratifiedJudgement } from './judgement.ts';
import { type SampleSummary, summaryOf } from './sample.ts';
import { judgeRuns } from './sequential/paired-runs.ts';
import { checkSequentialOptions, type SequentialOptions } from './sequential/sequential-family.ts';
import { type CompareOptions, judgeFixed, judgeStratified } from './tested.ts';
import { type ComparisonWarning, comparisonWarnings } from './warning.ts';

/** One case under both subjects, with its judgement. */
export interface Comparison<Of extends Judgement = Judgement> extends NamedCase {
  /** Null if the subject has no run. */
  readonly old: SampleSummary | null;
  readonly new: SampleSummary | null;
  readonly judgement: Of;
  /** The p-value of the judgement after the correction for all cases; null without a test. */
  readonly adjustedP: number | null;
  /**
   * Whether the difference also counts after the correction. For a fixed number of runs: the corrected p-value is below
   * 0.05. For adaptive runs: the verdict, which is always corrected, is faster or slower; Holm's correction must find it, too.
   */
  readonly survives: boolean;
  readonly warnings: readonly ComparisonWarning[];
  /** Where the samples do not meet the assumptions of the method. Computed on first access. */
  readonly assumptions: readonly SampleAssumption[];
}

/** An assumption that one sample of a comparison does not meet. */
export type SampleAssumption = AssumptionFailure & { readonly subject: SubjectRole };

/** How many differences were found before and after the correction for the number of cases. */
export interface Discoveries {
  /** Cases that could be tested. */
  readonly tested: number;
  /** Cases whose p-value is below the level. */
  readonly found: number;
  /** Cases whose difference survives the correction. */
  readonly survive: number;
}

/** Comparisons of a fixed number of runs, on one machine or several. */
export interface FixedList {
  readonly kind: 'fixed';
  /** Ordered by `benchmark configuration` in Unicode root collation, like compare.R. */
  readonly comparisons: readonly Comparison<FixedJudgement | StratifiedJudgement>[];
  readonly correction: Correction;
  readonly discoveries: Discoveries;
  /** The significance level. */
  readonly errorRate: number;
}

/** Comparisons of adaptive runs. */
export interface SequentialList {
  readonly kind: 'sequential';
  readonly comparisons: readonly Comparison<SequentialJudgement>[];
  readonly correction: Correction;
  readonly discoveries: Discoveries;
  /** The accepted share of false verdicts. */
  readonly errorRate: number;
  /** The smallest difference that matters, a fraction. */
  readonly margin: number;
  /** The maximum number of runs of each case under each subject. */
  readonly maxRuns: number;
  /** The number of cases of the command, for which p-values are corrected. Some may not be listed. */
  readonly size: number;
}

/** All comparisons of a session. */
export type ComparisonList = FixedList | SequentialList;

/** The significance level for a fixed number of runs. */
const LEVEL = 0.05;

/**
 * Judges cases with a fixed number of runs. A case that several machines measured is compared within each machine.
 *
 * @throws UsageError as `judgeFixed`
 */
export function compareFixed(
  pairs: Iterable<SamplePair>,
  options?: CompareOptions,
  correction: Correction = 'benjamini-hochberg',
): FixedList {
  const judged = inOrder(pairs).map((pair) => {
    const { machines = [] } = pair;
    return {
      pair,
      ...(machines.length > 1 ? judgeStratified(machines, options) : judgeFixed(pair, options)),
    };
  });
  const adjusted = adjustForNumber(
    judged.map(({ judgement }) => judgement.p),
    correction,
  );
  const comparisons = judged.map(({ pair, ...of }, at) =>
    comparison<FixedJudgement | StratifiedJudgement>(
      pair,
      { ...of, adjustedP: adjusted[at] ?? null, survives: (adjusted[at] ?? 1) < LEVEL },
      examinePair,
    ),
  );
  return {
    kind: 'fixed',
    comparisons,
    correction,
    errorRate: LEVEL,
    discoveries: {
      tested: comparisons.filter(({ judgement }) => judgement.p !== null).length,
      found: comparisons.filter(({ judgement }) => (judgement.p ?? 1) < LEVEL).length,
      survive: comparisons.filter(({ survives }) => survives).length,
    },
  };
}

/**
 * Judges adaptive runs in the same way as while they came in.
 *
 * @param runs all runs of the session, in the order in which they were measured
 * @param size how many cases the command compares, if some of them have no run
 * @param pairs the samples to list. Each is judged in view of all runs, also if only some samples are listed.
 * @param correction of the p-values that are shown. Verdicts have Benjamini and Hochberg's, which decided when cases stopped.
 * @throws UsageError as `SequentialFamily`
 */
export function compareSequentially(
  runs: readonly ComparedRun[],
  options: SequentialOptions,
  size: number | undefined,
  pairs: Iterable<SamplePair>,
  correction: Correction = 'benjamini-hochberg',
): SequentialList {
  const { errorRate, margin, maxRuns } = checkSequentialOptions(options);
  const family = judgeRuns(
    runs.map((run) => ({ ...run, key: caseKey(run) })),
    options,
    size,
  );
  const adjusted = family.adjusted(correction);
  const comparisons = inOrder(pairs).map((pair) => {
    const judgement = family.judgement(pair.key);
    const adjustedP = adjusted.get(pair.key) ?? 1;
    const isFound = judgement.verdict === 'faster' || judgement.verdict === 'slower';
    const of = {
      old: summaryOf(pair.old),
      new: summaryOf(pair.new),
      judgement,
      adjustedP,
      survives: isFound && (correction !== 'holm' || adjustedP <= errorRate),
    };
    return comparison(pair, of, examineAdaptivePair);
  });
  return {
    kind: 'sequential',
    comparisons,
    correction,
    errorRate,
    margin,
    maxRuns,
    size: family.size,
    discoveries: {
      tested: comparisons.filter(({ judgement }) => judgement.ratio !== null).length,
      found: comparisons.filter(({ judgement }) => judgement.p <= errorRate).length,
      survive: comparisons.filter(({ survives }) => survives).length,
    },
  };
}

function comparison<Of extends Judgement>(
  pair: SamplePair,
  of: Pick<Comparison<Of>, 'old' | 'new' | 'judgement' | 'adjustedP' | 'survives'>,
  examine: (pair: SamplePair) => readonly SampleAssumption[],
): Comparison<Of> {
  const { key, benchmark, configuration, text } = pair;
  let assumptions: readonly SampleAssumption[] | undefined;
  return {
    key,
    benchmark,
    configuration,
    text,
    ...of,
    warnings: comparisonWarnings(of),
    get assumptions() {
      assumptions ??= examine(pair);
      return assumptions;
    },
  };
}

function inOrder(pairs: Iterable<SamplePair>): SamplePair[] {
  const order = nameOrder();
  return [...pairs].sort((a, b) => order(caseName(a), caseName(b)));
}

/** Examines each machine separately: a difference between machines is neither an outlier nor a second mode. */
function examinePair({ machines = [], ...pair }: SamplePair): SampleAssumption[] {
  return (['old', 'new'] as const).flatMap((subject) => {
    const n = pair[subject].length;
    const failures =
      machines.length < 2
        ? examineSample(pair[subject])
        : machines
            .flatMap((machine) => examineSample(machine[subject]))
            .filter(({ kind }) => kind !== 'few-runs' || n < FEW_RUNS);
    return failures.map((failure) => ({ ...failure, subject }));
  });
}

/** Adaptive runs are few on purpose. */
function examineAdaptivePair(pair: SamplePair): SampleAssumption[] {
  return examinePair(pair).filter(({ kind }) => kind !== 'few-runs');
}

/** `effect`: the largest loss first, the largest gain last; `p`: the smallest p-value first; `name`: like compare.R. */
export type ComparisonOrder = 'name' | 'effect' | 'p';

/** Sorts comparisons that are in the order of their names. Comparisons without the figure come last. */
export function sortComparisons<Item extends Comparison>(
  comparisons: readonly Item[],
  order: ComparisonOrder,
): readonly Item[] {
  if (order === 'name') return comparisons;
  const figure = ({ judgement }: Item) =>
    (order === 'effect' ? judgement.improvement : judgement.p) ?? Number.POSITIVE_INFINITY;
  return comparisons.toSorted((a, b) => (figure(a) === figure(b) ? 0 : figure(a) - figure(b)));
}
