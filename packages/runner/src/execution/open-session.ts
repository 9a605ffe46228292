import { setTimeout as delay } from 'node:timers/promises';
import { mapsIn } from '@bench-cli/agent';
import { adaptiveRuns, type Case, caseKey, guarantees, ReportedMetrics } from '@bench-cli/results';
import {
  type Failure,
  RECORD_FORMAT,
  type Recording,
  type RunKind,
  type RunRecord,
  type SessionRecord,
  type SessionRequest,
  scheduledConfiguration,
} from '@bench-cli/results/recording';
import { originalPlaces, type PlacedRequest, placeRequest } from '@bench-cli/subjects';
import { readEnvironment } from '../machine/environment.ts';
import { lackingGuarantees } from '../machine/guarantees.ts';
import { checkCopies } from '../plan/benchmark-copies.ts';
import { sessionFiles } from '../plan/loaded-files.ts';
import type { ScheduledRun } from '../plan/schedule.ts';
import { type ScriptedExecutor, Supervisor } from '../process/supervisor.ts';
import { type Emit, eventsOf } from './event-stream.ts';
import type { Lane } from './lane.ts';
import { notify, type SessionEvent, type SessionListener } from './session-event.ts';

/**
 * The time of a file is that of the last tick of the kernel, up to 10 ms ago. What a quick command writes at
 * once would seem to have been there before the session.
 */
const FILE_TIME_MS = 12;

/** A session that is executed: everything that its tasks share from its begin to its end. */
export interface OpenSession extends ReturnType<typeof formerSession> {
  /** As it is recorded, with the subjects that were asked for. */
  readonly session: SessionRecord;
  readonly request: PlacedRequest;
  readonly emit: Emit<SessionEvent>;
  /** Adds a listener, which gets later events after they are yielded. */
  readonly listen: (listener: SessionListener) => void;
  readonly signal: AbortSignal;
  readonly supervisor: Supervisor;
  readonly lanes: readonly Lane[];
  readonly budget: ReturnType<typeof sessionBudget>;
  readonly sessionFiles: ReturnType<typeof sessionFiles>;
  readonly warned: Set<string>;
  /** Whether it ends with its plan. */
  readonly onlyPlan: boolean | undefined;
}

/** @throws UsageError if the subjects have different copies of a benchmark */
export function newSession(request: SessionRequest, env?: NodeJS.ProcessEnv): SessionRecord {
  checkCopies(request);
  return {
    type: 'session',
    format: RECORD_FORMAT,
    startedAt: new Date().toISOString(),
    request,
    environment: readEnvironment(env),
  };
}

export interface ProcessOptions {
  /** Ends the session: its processes are killed, and the iteration throws the reason. */
  readonly signal?: AbortSignal | undefined;
  /** The environment of its processes. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
}

interface Opening extends ProcessOptions {
  /** Takes the place of processes, for tests. */
  readonly scripted?: ScriptedExecutor | undefined;
  readonly onlyPlan?: boolean | undefined;
  /** The lines from before the session was interrupted. */
  readonly former?: Recording | undefined;
  /** Takes each event before it is yielded, and also those of a session whose iteration was left. */
  readonly record?: (event: SessionEvent, emit: Emit<SessionEvent>) => unknown;
}

export function openSession(
  session: SessionRecord,
  task: (open: OpenSession) => Promise<void>,
  { signal, env, scripted, onlyPlan, former, record }: Opening = {},
): AsyncGenerator<SessionEvent, void, void> {
  return eventsOf(async (show, stop) => {
    const supervisor = new Supervisor(env, scripted);
    const lanes: Lane[] = [];
    try {
      const request = placeRequest(session.request, supervisor.directory);
      const withOriginalPlaces = originalEvents(request, supervisor.directory);
      const { jobs } = request.settings;
      if (jobs === undefined) lanes.push({ index: 0, cpus: undefined, supervisor, env: {} });
      for (const [index, cpus] of jobs?.entries() ?? []) {
        // Node core's benchmarks name their temporary directory by this variable. Its length is fixed.
        const env = { TEST_THREAD_ID: String(index + 1).padStart(4, '0') };
        lanes.push({ index, cpus, supervisor: new Supervisor(supervisor.env, scripted), env });
      }
      const budget = sessionBudget(adaptiveRuns(request.runs)?.budgetMs, lanes.length);
      const listeners: SessionListener[] = [
        { event: (event) => record?.(event, emit), run: (event) => budget.take(event.record) },
        { event: show },
      ];
      const emit = (event: SessionEvent) => notify(listeners, withOriginalPlaces(event));
      await emit({ type: 'session', session });
      for (const name of lackingGuarantees()) await emit({ type: 'warning', message: guarantees[name].lack });
      const files = sessionFiles(request, supervisor.env);
      if (request.files.some(({ command }) => command !== undefined)) await delay(FILE_TIME_MS);
      await task({
        session,
        request,
        emit,
        listen: (listener) => void listeners.push(listener),
        signal: stop,
        supervisor,
        lanes,
        budget,
        sessionFiles: files,
        warned: new Set(),
        onlyPlan,
        ...formerSession(former, lanes),
      });
      // A session that was ended during its last run is not complete.
      stop.throwIfAborted();
      await emit({ type: 'end', record: { type: 'end', endedAt: new Date().toISOString() } });
    } finally {
      const supervisors = new Set([...lanes.map((lane) => lane.supervisor), supervisor]);
      for (const each of supervisors) await each.close();
    }
  }, signal);
}

/** The time limit of a session. Recorded runs count, so that a resumed session ends at the same run. */
function sessionBudget(limitMs = Number.POSITIVE_INFINITY, lanes: number) {
  let spentMs = 0;
  return {
    take({ durationMs }: RunRecord): void {
      spentMs += durationMs;
    },
    get spentMs() {
      return spentMs;
    },
    get isSpent() {
      return spentMs >= limitMs * lanes;
    },
  };
}

function formerSession(former: Recording | undefined, lanes: readonly Lane[]) {
  const { runs = [], metricRuns = [], looks = [], versions = [] } = former ?? {};
  const scheduled = <Run extends RunRecord>(run: Run) => ({
    ...run,
    configuration: scheduledConfiguration(run),
  });
  const keyOf = (kind: RunKind, run: ScheduledRun) =>
    JSON.stringify([kind, caseKey(run), run.subject, run.round]);
  const byKey = Map.groupBy([...runs, ...metricRuns, ...looks], (run) => keyOf(run.kind, scheduled(run)));
  const cpus = new Map(runs.map((run) => [caseKey(scheduled(run)), run.cpus]));
  const reported = new ReportedMetrics();
  for (const run of runs) if (run.status === 'ok') reported.add(run);
  return {
    reported,
    recorded: (kind: RunKind, run: ScheduledRun): readonly RunRecord[] | undefined =>
      byKey.get(keyOf(kind, run)),
    formerLane: (each: Case) => {
      const formerCpus = cpus.get(caseKey(each));
      return formerCpus === undefined ? undefined : lanes.find((lane) => lane.cpus === formerCpus)?.index;
    },
    versions,
    plan: former?.plan,
  };
}

/** Failures name files by the paths and positions that their author knows, not by those of copies. */
function originalEvents(request: PlacedRequest, directory: string): (event: SessionEvent) => SessionEvent {
  const ofUser = originalPlaces(request);
  const original = (failure: Failure): Failure => {
    const inSource = sourcePlaces(directory);
    const { place, message, output } = failure;
    const text = (each: string) => ofUser(inSource(each));
    return { ...failure, message: text(message), output: text(output), ...(place && { place: text(place) }) };
  };
  return (event) => {
    if (event.type === 'failure')
      return { ...event, record: { ...event.record, failure: original(event.record.failure) } };
    return event.type === 'run' && event.record.status === 'failed'
      ? { ...event, record: { ...event.record, failure: original(event.record.failure) } }
      : event;
  };
}

const placeInFile = /((?:file:\/\/)?(\/[^\s()'"]+?\.(?:[cm]?ts|[jt]sx))):(\d+):(\d+)/g;

/** Returns a function that gives positions in transformed files as those of their sources. */
function sourcePlaces(directory: string): (text: string) => string {
  const maps = mapsIn(directory);
  return (text) =>
    text.replace(placeInFile, (whole, shown, path, line, column) => {
      const found = maps.get(path)?.findOrigin(Number(line), Number(column));
      return found !== undefined && 'lineNumber' in found
        ? `${shown}:${found.lineNumber}:${found.columnNumber}`
        : whole;
    });
}
