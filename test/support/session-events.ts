import { byPlan, type PlanRecord, type RunKind, type RunRecord } from '@bench-cli/results/recording';
import {
  createRequest,
  type RequestOptions,
  runSession,
  type ScriptedExecutor,
  type SessionEvent,
  type SubjectRequest,
} from '@bench-cli/runner';
import type { TemporarySuite } from './suite.ts';

export interface SessionOptions extends Partial<RequestOptions> {
  readonly subjects?: Readonly<Record<string, SubjectRequest>>;
  readonly command?: Parameters<typeof createRequest>[0];
  readonly out?: string;
  readonly signal?: AbortSignal | undefined;
  readonly scripted?: ScriptedExecutor | undefined;
}

/** What is asked of a session over all benchmarks of a suite, each once, unless the options say otherwise. */
export async function requestIn(
  { directory }: Pick<TemporarySuite, 'directory'>,
  { subjects = { node: {} }, command, out: _, signal: __, scripted: ___, ...options }: SessionOptions = {},
) {
  const isCompared = Object.keys(subjects).length > 1;
  const all = { items: ['all'], runs: 1, cwd: directory, ...options };
  return (await createRequest(command ?? (isCompared ? 'compare' : 'run'), subjects, all)).request;
}

/** The events of such a session. */
export async function eventsIn(
  suite: Pick<TemporarySuite, 'directory'>,
  options: SessionOptions = {},
): Promise<SessionEvent[]> {
  const { out, signal, scripted } = options;
  return await Array.fromAsync(runSession(await requestIn(suite, options), { out, signal, scripted }));
}

/** The benchmarks that such a session plans, without a run. */
export async function plannedIn(
  suite: Pick<TemporarySuite, 'directory'>,
  options: SessionOptions = {},
): Promise<PlanRecord['benchmarks']> {
  const { signal, scripted } = options;
  const session = runSession(await requestIn(suite, options), { signal, scripted, onlyPlan: true });
  const events = await Array.fromAsync(session);
  return events.flatMap((event) => (event.type === 'plan' ? event.record.benchmarks : []));
}

/** The records of the runs of one kind, round by round in the order of the plan. */
export function runsOf(events: readonly SessionEvent[], kind: RunKind = 'rate'): readonly RunRecord[] {
  const [plan = { benchmarks: [] }] = events.flatMap((event) => (event.type === 'plan' ? event.record : []));
  const subjects = events.flatMap((event) =>
    event.type === 'session' ? event.session.request.subjects.map(({ name }) => name) : [],
  );
  return byPlan(plan, subjects)(executedRuns(events, kind));
}

/** The records of the runs of one kind, in the order of their events. */
export function executedRuns(events: readonly SessionEvent[], kind: RunKind = 'rate'): readonly RunRecord[] {
  return events.flatMap((event) =>
    event.type === 'run' && event.record.kind === kind ? [event.record] : [],
  );
}

export function configurationsOf(events: readonly SessionEvent[]) {
  return runsOf(events).map(({ configuration }) => configuration);
}

export function warningsOf(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === 'warning' ? [event.message] : []));
}

/** The benchmarks that could not be planned or set up, with their errors. */
export function failuresOf(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === 'failure' ? [`${event.record.benchmark}: ${event.record.failure.message}`] : [],
  );
}
