import type { SamplingOrder } from '@bench-cli/core/protocol';
import { type Case, caseKey } from '@bench-cli/results';
import { subjectOrders } from '@bench-cli/results/recording';

/** A process to start: one case, once, under one subject. */
export interface ScheduledRun extends Case {
  readonly subject: string;
  /** Counts from 0; the runs of one round and case form a pair in a comparison. */
  readonly round: number;
  /** How the process samples. Default: as the benchmark declares. */
  readonly order?: SamplingOrder | undefined;
}

/** The runs of a case in one round, one right after the other. */
export function scheduleRound(
  { benchmark, configuration }: Case,
  subjects: readonly string[],
  round: number,
  seed: number,
): readonly ScheduledRun[] {
  const order = subjectOrders(subjects, seed, { benchmark, configuration })(round);
  return order.map((subject) => ({ benchmark, configuration, subject, round }));
}

/** Identifies a run in a session. */
export function runKey(run: ScheduledRun): string {
  return JSON.stringify([caseKey(run), run.subject, run.round]);
}
