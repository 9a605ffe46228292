import { comparedResults } from '@bench-cli/results';
import {
  type FailedRun,
  type Recording,
  type RecordLine,
  recordingOf,
  type SessionRecord,
} from '@bench-cli/results/recording';
import type { Gate, GateOutcome, JudgedResults } from '@bench-cli/stats';
import type { SessionEvent } from '../execution/session-event.ts';

/** Collects the lines of a session. Before the session begins, `begun` and `recording` return undefined. */
export function sessionCollector(path?: string) {
  const lines: RecordLine[] = [];
  let session: SessionRecord | undefined;
  let file = path;
  return {
    session: (event: SessionEvent<'session'>) => {
      session = event.session;
    },
    warning: ({ movedTo = file }: SessionEvent<'warning'>) => {
      file = movedTo;
    },
    event: (event: SessionEvent) => {
      if ('record' in event) lines.push(event.record);
    },
    begun: () => session && { session, file },
    recording: () => session && { ...recordingOf(session, lines), file },
  };
}

/** The failed runs of a session. The runs of versions between the ends of a bisection may fail. */
export function failedRuns({ session, runs, metricRuns }: Recording): readonly FailedRun[] {
  const names = session.request.subjects.map(({ name }) => name);
  return [...runs, ...metricRuns]
    .filter((run) => run.status === 'failed')
    .filter(({ subject }) => names.includes(subject));
}

export async function judgeSession(
  recording: Recording,
  gates: readonly Gate[] = [],
  allowMissing?: boolean,
): Promise<JudgedResults & { readonly gate?: GateOutcome }> {
  const { judgeGates, judgeResults } = await import('@bench-cli/stats');
  const judged = judgeResults(comparedResults([recording]));
  return gates.length === 0 ? judged : { ...judged, gate: judgeGates(judged, gates, allowMissing) };
}
