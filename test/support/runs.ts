import type { RunKind, RunRecord } from '@bench-cli/results/recording';
import type { SessionEvent } from '@bench-cli/runner';

/** The records of the runs of one kind, in the order of their events. */
export function runsOf(events: readonly SessionEvent[], kind: RunKind = 'rate'): readonly RunRecord[] {
  return events.flatMap((event) =>
    event.type === 'run' && event.record.kind === kind ? [event.record] : [],
  );
}
