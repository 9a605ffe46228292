import { createRequest, type RequestOptions, runSession, type SubjectRequest } from '@bench-cli/runner';
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

/** Runs all files of a suite once, as they are. */
export async function ran(
  files: Readonly<Record<string, string>>,
  subject: SubjectRequest = {},
  options: Partial<RequestOptions> = {},
): Promise<Ran> {
  using suite = temporarySuite(files);
  const { request } = await createRequest(
    'run',
    { node: subject },
    { items: ['all'], runs: 1, cwd: suite.directory, ...options },
  );
  const events = await Array.fromAsync(runSession(request));
  return {
    results: Object.fromEntries(
      events.flatMap((event) => {
        if (event.type !== 'run') return [];
        const { record } = event;
        return [[record.benchmark, record.status === 'ok' ? record.values.rate : record.failure.message]];
      }),
    ),
    configurations: events.flatMap((event) =>
      event.type === 'run' ? `${event.record.benchmark} ${JSON.stringify(event.record.configuration)}` : [],
    ),
    notes: events.flatMap((event) => {
      if (event.type === 'warning') return [event.message];
      return event.type === 'failure' ? [`${event.record.benchmark}: ${event.record.failure.message}`] : [];
    }),
  };
}
