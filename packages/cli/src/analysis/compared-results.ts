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
import type { SessionRecord, SucceededRun } from '@bench-cli/results/recording';
import {
  type ComparisonList,
  compareFixed,
  compareSequentially,
  type SequentialOptions,
} from '@bench-cli/stats';
import type { Correction } from '../options.ts';

/** The rates of two subjects, and how they were measured. */
export interface ComparedResults {
  readonly pairs: readonly SamplePair[];
  readonly names: SubjectNames;
  /** Present if the runs themselves decided how many there are. */
  readonly adaptive: AdaptiveResults | undefined;
}

interface AdaptiveResults {
  /** In the order in which they were measured. */
  readonly runs: readonly ComparedRun[];
  readonly options: SequentialOptions;
  /** The number of cases of all shards. */
  readonly size: number | undefined;
}

/** The successful runs of a comparison. */
export interface SessionRuns {
  readonly session: SessionRecord;
  readonly runs: readonly SucceededRun[];
  /** The number of cases of all shards. Default: those that ran. */
  readonly size?: number | undefined;
}

/** The results of a session, or of its parts on several machines. */
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

/** The results of the cases that meet all conditions. Adaptive runs are still judged together with all cases. */
export function resultsWhere<Results extends ComparedResults>(
  results: Results,
  conditions: readonly Condition[],
): Results {
  return { ...results, pairs: casesWhere(results.pairs, conditions) };
}

/** Judges results by the method that fits how their number of runs was decided. */
export function judgeResults({ pairs, adaptive }: ComparedResults, correction?: Correction): ComparisonList {
  if (adaptive === undefined) return compareFixed(pairs, {}, correction);
  return compareSequentially(adaptive.runs, adaptive.options, adaptive.size, pairs, correction);
}
