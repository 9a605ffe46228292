import {
  type ComparedRun,
  type Condition,
  casesWhere,
  comparedRun,
  joinMachines,
  type SamplePair,
  type SubjectNames,
  samplePairs,
  subjectNames,
} from '@bench-cli/results';
import type { Recording, SessionRecord, SucceededRun } from '@bench-cli/results/recording';
import {
  type ComparisonList,
  compareFixed,
  compareSequentially,
  type SequentialOptions,
} from '@bench-cli/stats';

/** The rates of two subjects, and what is known about their origin. */
export interface ComparedResults {
  readonly pairs: readonly SamplePair[];
  readonly names: SubjectNames;
  /** How the number of runs was decided, where the runs themselves decided it. */
  readonly adaptive: AdaptiveResults | undefined;
}

interface AdaptiveResults {
  /** In the order in which they were measured. */
  readonly runs: readonly ComparedRun[];
  readonly options: SequentialOptions;
  /** How many cases the command compares, all shards together. */
  readonly size: number | undefined;
}

/** A session that compares, with its successful runs. */
export interface SessionRuns {
  readonly session: SessionRecord;
  readonly runs: readonly SucceededRun[];
  /** How many cases it compares, all shards together; default: those that ran. */
  readonly size?: number | undefined;
}

/** The results of a session, or of its parts that several machines measured. */
export function comparedResults(sessions: readonly [SessionRuns, ...SessionRuns[]]): ComparedResults {
  const [{ session, size }] = sessions;
  const machines = sessions.map(({ runs }) => runs.map(comparedRun));
  const options = session.request.runs;
  return {
    pairs: joinMachines(machines.map(samplePairs)),
    names: subjectNames(session),
    adaptive: typeof options === 'number' ? undefined : { runs: machines.flat(), options, size },
  };
}

/** How many cases a session has, all shards together; undefined without a plan. */
export function plannedSize(plan: Recording['plan']): number | undefined {
  return plan?.benchmarks.reduce((sum, { configurations }) => sum + configurations.length, 0);
}

/** The results of the cases that meet all conditions. Adaptive runs are still judged in view of all cases. */
export function resultsWhere<Results extends ComparedResults>(
  results: Results,
  conditions: readonly Condition[],
): Results {
  return { ...results, pairs: casesWhere(results.pairs, conditions) };
}

/** Judges results by the method that fits how their number of runs was decided. */
export function judgeResults({ pairs, adaptive }: ComparedResults): ComparisonList {
  if (adaptive === undefined) return compareFixed(pairs);
  return compareSequentially(adaptive.runs, adaptive.options, adaptive.size, pairs);
}
