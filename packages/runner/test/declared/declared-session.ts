import type { SamplingOrder } from '@bench-cli/core/protocol';
import type { ScriptedExecutor, SubjectRequest } from '@bench-cli/runner';
import { eventsIn, runsOf, type SessionOptions } from '../../../../test/support/session-events.ts';
import { temporarySuite } from '../../../../test/support/suite.ts';

/** What a session over files of other tools did. */
export interface Ran {
  /** The rate of each benchmark that ran, or the error. */
  readonly results: Readonly<Record<string, number | string>>;
  /** The cases that ran, with their configurations as JSON. */
  readonly configurations: readonly string[];
  /** Warnings, and benchmarks that could not be planned. */
  readonly notes: readonly string[];
}

/** Lets processes sample for these times, whatever the files and the defaults of their tools are. */
export const sampledFor =
  (sampling: SamplingOrder): ScriptedExecutor =>
  (request, start) =>
    start({ ...request, order: { ...request.order, sampling } });

export const sampledShortly: ScriptedExecutor = sampledFor({ warmUpMs: 5, measuredMs: 20 });

/** Runs all files of a suite once, as they are but for their sampling times. */
export async function ran(
  files: Readonly<Record<string, string>>,
  subject: SubjectRequest = {},
  options: SessionOptions = {},
): Promise<Ran> {
  using suite = temporarySuite(files);
  const events = await eventsIn(suite, { subjects: { node: subject }, scripted: sampledShortly, ...options });
  const runs = runsOf(events);
  return {
    results: Object.fromEntries(
      runs.map((run) => [run.benchmark, run.status === 'ok' ? run.values.rate : run.failure.message]),
    ),
    configurations: runs.map((run) => `${run.benchmark} ${JSON.stringify(run.configuration)}`),
    notes: events.flatMap((event) => {
      if (event.type === 'warning') return [event.message];
      return event.type === 'failure' ? [`${event.record.benchmark}: ${event.record.failure.message}`] : [];
    }),
  };
}
