import { type SamplePair, samplePairs, joinMachines } from '@bench-cli/results';
import { type SessionRecord, type SucceededRun, subjectNames } from '@bench-cli/results/recording';
import { comparedRun } from '@bench-cli/core/runner';
import { judgePairs, type SequentialResults } from '@bench-cli/stats';

/** Two subjects' rates, with what is known about where they come from. */
export interface ComparedResults {
  readonly pairs: readonly SamplePair[];
  readonly names: Record<'oldName' | 'newName', string>;
  /** How the runs were judged while they came in, where they were. */
  readonly sequential: SequentialResults | undefined;
}

/** A session that compares, with its successful runs. */
export interface SessionRuns {
  readonly session: SessionRecord;
  readonly runs: readonly SucceededRun[];
  /** How many configurations it compares, all shards together; default: those that ran. */
  readonly size?: number | undefined;
}

/** The results of a session, or of what several machines did of one. */
export function comparedResults(sessions: readonly [SessionRuns, ...SessionRuns[]]): ComparedResults {
  const [{ session, size }] = sessions;
  const machines = sessions.map(({ runs }) => runs.map(comparedRun));
  const { runs: planned } = session.request;
  return {
    pairs: joinMachines(machines.map(samplePairs)),
    names: subjectNames(session),
    sequential: typeof planned === 'number' ? undefined : judgePairs(machines.flat(), planned, size),
  };
}
