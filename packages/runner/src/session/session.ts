import { cpus } from 'node:os';
import { type Configuration, caseCount, caseKey, UsageError } from '@bench-cli/results';
import {
  type AdaptiveRuns,
  type MetricRun,
  RECORD_FORMAT,
  type Recording,
  type RunRecord,
  readRecording,
  type SessionRecord,
  type SessionRequest,
  scheduledConfiguration,
} from '@bench-cli/results/recording';
import { readCounters } from '../machine/counters.ts';
import { machineText, readEnvironment } from '../machine/environment.ts';
import { MachineWatch } from '../machine/watch.ts';
import { digestsOf } from '../plan/benchmark-copies.ts';
import { checkParameters } from '../plan/parameters.ts';
import { type PlanFailure, type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { runKey, type ScheduledRun, schedule } from '../plan/schedule.ts';
import { checkSingleCase } from '../plan/single-case.ts';
import { Supervisor } from '../process/supervisor.ts';
import { isRemembered, rememberSession } from '../record/begun-sessions.ts';
import { RecordFile } from '../record/record-file.ts';
import { type Division, divide, isNewPlan } from '../shard/division.ts';
import { type PlacedRequest, placeRequest } from '../subject/placement.ts';
import { checkFilter, isSelected } from '../suite/discover.ts';
import { executeRuns } from './execution.ts';
import { GivenUp } from './given-up.ts';
import { type Lane, lanesOf } from './lane.ts';
import { executeMetricRuns } from './metric-runs.ts';
import { calibratedConfigurations } from './operation-count.ts';
import { withOriginalPlaces } from './original-places.ts';
import { Preparation, type SessionContext } from './preparation.ts';
import { findSubjects, resumeMismatch } from './resumed-subjects.ts';
import { runWarnings } from './run-warning.ts';
import type { SessionEvent } from './session-event.ts';

export interface SessionOptions {
  /** Ends the session: its process is killed, and the iteration throws the reason. */
  readonly signal?: AbortSignal | undefined;
  /** The results file. Default: none. */
  readonly out?: string | undefined;
}

/**
 * Executes a session and yields its events. The end of the iteration ends the session, and no process outlives it.
 * @throws UsageError if a value is set for an unknown parameter, if there is nothing to run, or if `out` cannot be written
 */
export async function* runSession(
  request: SessionRequest,
  options: SessionOptions = {},
): AsyncGenerator<SessionEvent, void, void> {
  const session: SessionRecord = {
    type: 'session',
    format: RECORD_FORMAT,
    startedAt: new Date().toISOString(),
    request,
    digests: digestsOf(request),
    environment: readEnvironment(),
  };
  const file = options.out === undefined ? undefined : await RecordFile.create(options.out);
  try {
    file?.append(session);
    if (file !== undefined) rememberSession(file.path);
  } catch (error) {
    file?.close();
    throw error;
  }
  yield* record(
    file,
    execute(
      session,
      { runs: [], metricRuns: [], startUpRuns: [], calibrations: [], versions: [] },
      options.signal,
    ),
    undefined,
  );
}

export interface ResumeOptions extends Pick<SessionOptions, 'signal'> {
  /** Run the programs that the file names even if this user did not begin the session here. Default false. */
  readonly trust?: boolean | undefined;
}

/**
 * Continues an interrupted session: yields the recorded runs of a file again, and executes only the missing ones.
 * @throws UsageError if the file cannot be read or is of another user, or if the benchmarks, the runtimes or the machine have
 *   changed
 */
export async function* resumeSession(
  path: string,
  options: ResumeOptions = {},
): AsyncGenerator<SessionEvent, void, void> {
  const file = await RecordFile.continue(path);
  let recording: Recording;
  let session: SessionRecord;
  try {
    ({ recording, session } = await checkRecording(path, options.trust));
    file.resume(recording);
    file.append({ type: 'resumed', startedAt: new Date().toISOString(), environment: readEnvironment() });
  } catch (error) {
    file.close();
    throw error;
  }
  yield* record(file, execute(session, recording, options.signal), recording);
}

/**
 * Reads a results file to execute its session again.
 * @param trust whether this user may not have begun the session here
 * @returns also the session with its subjects as they are found now
 * @throws UsageError as `resumeSession`
 */
export async function checkRecording(
  path: string,
  trust = false,
): Promise<{ readonly recording: Recording; readonly session: SessionRecord }> {
  const recording = readRecording(path);
  if (!trust && !isRemembered(path)) throw unknownSession(path, recording);
  return { recording, session: await checkUnchanged(recording) };
}

async function checkUnchanged({ session }: Recording): Promise<SessionRecord> {
  const { request, digests } = session;
  const [then, here] = [session.environment, readEnvironment()].map(machineText);
  if (then !== here) {
    throw resumeMismatch(
      `the session began on ${then}, but this machine is ${here}: resume it on the same kind of machine`,
    );
  }
  const now = digestsOf(request);
  const changed = request.files.find(({ name }) => now[name] !== digests[name]);
  if (changed !== undefined) {
    throw resumeMismatch(`${changed.path} has changed since the session began: restore it`);
  }
  return { ...session, request: { ...request, subjects: await findSubjects(request) } };
}

function unknownSession(path: string, { session }: Recording): UsageError {
  const { subjects, files } = session.request;
  const programs = subjects.map(({ executable, flags, env }) =>
    [...Object.entries(env).map(([name, value]) => `${name}=${value}`), executable, ...flags].join(' '),
  );
  return new UsageError(
    'ERR_BENCH_RESUME_FOREIGN',
    `${path}: this user did not begin the session here, and to resume it runs the programs that the file names: ${programs.join('; ')} (${files.length} benchmark files, first ${files[0]?.path ?? 'none'}); add --trust if you trust the file, or start a new session`,
  );
}

/** Writes every result to the file before it is yielded. */
async function* record(
  file: RecordFile | undefined,
  events: AsyncGenerator<SessionEvent, void, void>,
  former: Recording | undefined,
): AsyncGenerator<SessionEvent, void, void> {
  let isPlanned = former !== undefined;
  try {
    for await (const event of events) {
      isPlanned ||= event.type === 'plan';
      const isNew =
        event.type === 'plan'
          ? isNewPlan(event.record, former)
          : 'resumed' in event
            ? !event.resumed
            : event.type === 'failure';
      const warning = isNew && 'record' in event ? file?.append(event.record) : undefined;
      yield event;
      if (warning !== undefined) yield { type: 'warning', message: warning };
    }
    const warning = file?.append({ type: 'end', endedAt: new Date().toISOString() });
    if (warning !== undefined) yield { type: 'warning', message: warning };
  } catch (error) {
    // Otherwise the file would refuse the corrected command.
    if (!isPlanned && error instanceof UsageError) file?.remove();
    throw error;
  } finally {
    file?.close();
  }
}

/** What was executed before the session was interrupted. */
type FormerRuns = Pick<Recording, 'runs' | 'metricRuns' | 'startUpRuns' | 'calibrations' | 'versions'>;

async function* execute(
  session: SessionRecord,
  former: FormerRuns,
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, void, void> {
  const supervisor = new Supervisor();
  const ofLanes: Supervisor[] = [];
  try {
    const request = placeRequest(session.request, supervisor.directory);
    yield { type: 'session', session };
    const lanes = lanesOf(request.settings.jobs, supervisor, () => {
      const created = new Supervisor();
      ofLanes.push(created);
      return created;
    });
    yield* withOriginalPlaces(executePlaced(request, former, supervisor, lanes, signal), request);
  } finally {
    for (const each of [...ofLanes, supervisor]) await each.close();
  }
}

async function* executePlaced(
  request: PlacedRequest,
  former: FormerRuns,
  supervisor: Supervisor,
  lanes: readonly Lane[],
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, void, void> {
  const division = yield* plan(request, supervisor, signal);
  const byKey = <Run extends RunRecord | MetricRun>(records: readonly Run[]) =>
    Map.groupBy(records, (run) => runKey({ ...run, configuration: scheduledConfiguration(run) }));
  const formerRuns = byKey(former.runs);
  const formerMetrics = byKey(former.metricRuns);
  const formerStartUp = byKey(former.startUpRuns);
  const formerCpus = new Map(
    former.runs.map((run) => [caseKey({ ...run, configuration: scheduledConfiguration(run) }), run.cpus]),
  );
  const context: SessionContext = {
    request,
    recorded: (run: ScheduledRun) => formerRuns.get(runKey(run)),
    recordedMetrics: (run: ScheduledRun) => formerMetrics.get(runKey(run)),
    recordedStartUp: (run: ScheduledRun) => formerStartUp.get(runKey(run)),
    size: caseCount(division.plan),
    calibrations: former.calibrations,
    versions: former.versions,
    supervisor,
    lanes,
    formerLane: (each) => {
      const cpus = formerCpus.get(caseKey(each));
      return cpus === undefined ? undefined : lanes.find((lane) => lane.cpus === cpus)?.index;
    },
    signal,
  };
  const told = new Set<string>();
  const { startUp, test } = request.settings;
  const runs: RunRecord[] = [];
  const watch = test ? undefined : new MachineWatch(readCounters, cpus().length);
  for await (const event of executePlanned(division.own, context)) {
    yield event;
    if (event.type === 'run' && startUp !== undefined) runs.push(event.record);
    if (event.type === 'run' && !event.resumed && event.record.status === 'ok') {
      watch?.take(`${event.record.subject} ${caseKey(event.record)}`, event.record.rate);
    }
    for (const { about, message } of runWarnings(event, request)) {
      if (told.has(about)) continue;
      told.add(about);
      yield { type: 'warning', message };
    }
  }
  if (startUp !== undefined && !test) {
    const { executeStartUpRuns } = await import('./start-up-runs.ts');
    yield* executeStartUpRuns(division.own, division.plan, runs, context);
  }
  const change = watch?.change();
  if (change !== undefined) yield { type: 'warning', message: change };
}

async function* plan(
  { command, files, subjects, settings, runs, metrics, shard }: PlacedRequest,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, Division, void> {
  const planned: PlannedBenchmark[] = [];
  const failed: PlanFailure[] = [];
  const names: string[] = [];
  for (const [index, file] of files.entries()) {
    yield { type: 'planning', benchmark: file.name, index, count: files.length };
    for (const result of await planFile(file, subjects, settings, supervisor, signal)) {
      names.push(result.name);
      if (!isSelected(result.name, settings)) continue;
      if ('failure' in result) {
        failed.push(result);
        const { name: benchmark, subject, failure } = result;
        yield { type: 'failure', record: { type: 'failure', benchmark, phase: 'plan', subject, failure } };
        continue;
      }
      planned.push(result);
      for (const message of warningsOf(result)) yield { type: 'warning', message };
    }
  }
  if (settings.loadCpuSet !== undefined && planned.some(startsLoadItself)) {
    const message =
      'LOADCPUSET has no effect on Node core benchmarks, because they start the load tool themselves, on the CPUs of CPUSET';
    yield { type: 'warning', message };
  }
  checkParameters(settings, planned);
  const division = divide(planned, shard);
  for (const pattern of settings.filter ?? []) checkFilter(pattern, names);
  if (command === 'scatter' && planned.length > 1) {
    throw new UsageError(
      'ERR_BENCH_SELECTION',
      `scatter requires a single benchmark, but ${planned.length} are selected: choose one with --filter: ${planned.map(({ name }) => name).join(', ')}`,
    );
  }
  if (command === 'bisect') checkSingleCase(planned);
  const isEmpty = division.plan.benchmarks.every(({ configurations }) => configurations.length === 0);
  if (isEmpty && failed.length === 0) {
    throw new UsageError(
      'ERR_BENCH_NO_CONFIGURATION',
      'no configuration to run: check --set, --tag, and the combinationFilter of the benchmarks',
    );
  }
  yield { type: 'plan', record: division.plan };
  const roundsOf = ({ isNew }: PlannedBenchmark) => {
    if (typeof runs === 'number') return runs;
    return isNew ? roundsOfNew(runs) : runs.maxRuns;
  };
  const summaries = division.own.map((benchmark) => ({
    benchmark: benchmark.name,
    configurations: benchmark.configurations.length,
    totalRuns:
      benchmark.configurations.length * benchmark.scripts.size * (roundsOf(benchmark) + (metrics?.runs ?? 0)),
    isNew: benchmark.isNew,
  }));
  const totalRuns = summaries.reduce((sum, summary) => sum + summary.totalRuns, 0);
  yield { type: 'planned', benchmarks: summaries, totalRuns };
  return { ...division, own: division.own.filter((benchmark) => benchmark.configurations.length > 0) };
}

function startsLoadItself({ scripts }: PlannedBenchmark): boolean {
  return [...scripts.values()].some(({ results }) => results === 'as reported');
}

function warningsOf({ name, unplanned, warnings }: PlannedBenchmark): readonly string[] {
  if (unplanned === undefined) return warnings.map((warning) => `${name}: ${warning}`);
  return [
    `${name}: its configurations are unknown, because ${unplanned}; each run executes all of them in one process`,
  ];
}

async function* executePlanned(
  planned: readonly PlannedBenchmark[],
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const { command, runs } = context.request;
  if (command === 'bisect') {
    const { searchVersions } = await import('./version-search.ts');
    for (const benchmark of planned) yield* executeBenchmark(benchmark, searchVersions, context);
    return;
  }
  if (typeof runs === 'number' && context.lanes.length > 1) {
    const { executeConcurrently } = await import('./concurrent-session.ts');
    yield* executeConcurrently(planned, runs, context);
    return;
  }
  if (typeof runs === 'number') {
    for (const benchmark of planned) yield* executeBenchmark(benchmark, inRounds(runs), context);
    return;
  }
  // Only adaptive sessions load the statistics.
  const { executeAdaptively } = await import('./adaptive-session.ts');
  const [compared, unjudged] = [planned.filter(({ isNew }) => !isNew), planned.filter(({ isNew }) => isNew)];
  if (compared.length > 0) yield* executeAdaptively(compared, runs, context);
  for (const benchmark of unjudged) yield* executeBenchmark(benchmark, inRounds(roundsOfNew(runs)), context);
}

/** An adaptive session runs a new benchmark a few times, because no verdict decides when it ends. */
function roundsOfNew({ maxRuns }: AdaptiveRuns): number {
  return Math.min(3, maxRuns);
}

/** Executes the runs of configurations. */
type Execute = (
  preparation: Preparation,
  configurations: readonly Configuration[],
  context: SessionContext,
) => AsyncGenerator<SessionEvent, void, void>;

function inRounds(rounds: number): Execute {
  return ({ benchmark, executor }, configurations, { request, recorded, signal }) => {
    const subjects = [...benchmark.scripts.keys()];
    const runs = schedule({ ...benchmark, configurations }, subjects, rounds, request.seed);
    return executeRuns(runs, executor, new GivenUp(subjects), recorded, signal);
  };
}

/** Executes one benchmark between its setup and its teardown. */
async function* executeBenchmark(
  benchmark: PlannedBenchmark,
  execute: Execute,
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const { name } = benchmark;
  const preparation = new Preparation(benchmark, context);
  yield { type: 'benchmark start', benchmark: name };
  const unprepared = await preparation.begin();
  if (unprepared !== undefined) {
    yield { type: 'failure', record: unprepared };
    return;
  }
  try {
    const configurations = yield* calibratedConfigurations(preparation, context);
    yield* execute(preparation, configurations, context);
    yield* executeMetricRuns(preparation, configurations, context);
  } finally {
    const record = await preparation.end();
    if (record !== undefined) yield { type: 'failure', record };
  }
  yield { type: 'benchmark end', benchmark: name, durationMs: preparation.durationMs };
}
