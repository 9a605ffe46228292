import type { CalibrationRecord, RunRecord, SessionRequest } from '@bench-cli/results/recording';
import type { ScheduledRun } from '../plan/schedule.ts';
import type { Supervisor } from '../process/supervisor.ts';

/** What the execution of a session's runs rests on. */
export interface SessionExecution {
  readonly request: SessionRequest;
  /** Gives the records of a run that was executed before the session was cut off. */
  readonly recorded: (run: ScheduledRun) => readonly RunRecord[] | undefined;
  /** How many configurations the session has, all shards together. */
  readonly size: number;
  /** The counts that were found before. */
  readonly calibrations: readonly CalibrationRecord[];
  readonly supervisor: Supervisor;
  readonly signal: AbortSignal | undefined;
}
