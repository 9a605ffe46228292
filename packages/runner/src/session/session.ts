import { caseCount, UsageError } from '@bench-cli/results';
import {
  RECORD_FORMAT,
  type Recording,
  readRecording,
  type SessionRecord,
  type SessionRequest,
  scheduledConfiguration,
} from '@bench-cli/results/recording';
import { type PlanFailure, type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { digestsOf } from '../plan/request.ts';
import { runKey, type ScheduledRun, schedule } from '../plan/schedule.ts';
import { cpuSetsOverlap } from '../process/cpu-set.ts';
import { machineText, readEnvironment } from '../process/environment.ts';
import { Supervisor } from '../process/supervisor.ts';
import { isRemembered, rememberSession } from '../record/begun-sessions.ts';
import { RecordFile } from '../record/record-file.ts';
import { type Division, divide, isNewPlan } from '../shard/division.ts';
import { resolveSubject } from '../subject/subject.ts';
import { checkFilter, isSelected } from '../suite/discover.ts';
import { executeRuns } from './execution.ts';
import { calibratedConfigurations } from './operation-count.ts';
import { Preparation, type SessionContext } from './preparation.ts';
import type { SessionEvent } from './session-event.ts';

export interface SessionOptions {
  /** Ends the session: its process is killed, and the iteration throws the reason. */
  readonly signal?: AbortSignal | undefined;
  /** The results file. Default: none. */
  readonly out?: string | undefined;
}

/** Parameters that scripts accept without declaring them. */
const undeclared = ['benchmarker'];

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
    digests: digestsOf(request.files),
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
  yield* record(file, execute(session, { runs: [], calibrations: [] }, options.signal), undefined);
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
  try {
    recording = readRecording(path);
    if (options.trust !== true && !isRemembered(path)) throw unknownSession(path, recording);
    await checkUnchanged(recording);
    file.truncate(recording);
    file.append({ type: 'resumed', startedAt: new Date().toISOString(), environment: readEnvironment() });
  } catch (error) {
    file.close();
    throw error;
  }
  yield* record(file, execute(recording.session, recording, options.signal), recording);
}

async function checkUnchanged({ session }: Recording): Promise<void> {
  const { request, digests } = session;
  const [then, here] = [session.environment, readEnvironment()].map(machineText);
  if (then !== here) {
    throw resumeMismatch(
      `the session began on ${then}, but this machine is ${here}: resume it on the same kind of machine`,
    );
  }
  const now = digestsOf(request.files);
  const changed = request.files.find(({ name }) => now[name] !== digests[name]);
  if (changed !== undefined) {
    throw resumeMismatch(`${changed.path} has changed since the session began: restore it`);
  }
  for (const { name, executable, flags, env, runtime } of request.subjects) {
    const { version } = (await resolveSubject(name, { runtime: executable, flags, env })).runtime;
    if (version !== runtime.version) {
      throw resumeMismatch(
        `${name}: ${executable} had the version ${runtime.version} and now has ${version}: restore it`,
      );
    }
  }
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

/** Runs from before and after such a change cannot be compared. */
function resumeMismatch(change: string): UsageError {
  return new UsageError('ERR_BENCH_RESUME_MISMATCH', `${change}, or start a new session`);
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
      if (event.type === 'plan' && isNewPlan(event.record, former)) file?.append(event.record);
      if (event.type === 'failure') file?.append(event.record);
      if ((event.type === 'run' || event.type === 'calibrated') && !event.resumed) file?.append(event.record);
      yield event;
    }
    file?.append({ type: 'end', endedAt: new Date().toISOString() });
  } catch (error) {
    // Otherwise the file would refuse the corrected command.
    if (!isPlanned && error instanceof UsageError) file?.remove();
    throw error;
  } finally {
    file?.close();
  }
}

async function* execute(
  session: SessionRecord,
  former: Pick<Recording, 'runs' | 'calibrations'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, void, void> {
  const { request } = session;
  const supervisor = new Supervisor();
  try {
    yield { type: 'session', session };
    const division = yield* plan(request, supervisor, signal);
    const formerByKey = Map.groupBy(former.runs, (run) =>
      runKey({ ...run, configuration: scheduledConfiguration(run) }),
    );
    const context: SessionContext = {
      request,
      recorded: (run: ScheduledRun) => formerByKey.get(runKey(run)),
      size: caseCount(division.plan),
      calibrations: former.calibrations,
      supervisor,
      signal,
    };
    let warned = false;
    for await (const event of executePlanned(division.own, context)) {
      yield event;
      if (warned || !loadSharesCpus(event, request)) continue;
      warned = true;
      yield { type: 'warning', message: loadSharesCpusMessage };
    }
  } finally {
    await supervisor.close();
  }
}

const loadSharesCpusMessage =
  'the server and the load tool share CPUs and slow each other down: separate them with --set CPUSET=0 --set LOADCPUSET=1';

function loadSharesCpus(event: SessionEvent, { settings }: SessionRequest): boolean {
  if (event.type !== 'run' || event.record.status !== 'ok' || event.record.load === undefined) return false;
  return !settings.test && cpuSetsOverlap(settings.cpuSet, settings.loadCpuSet);
}

async function* plan(
  { command, files, subjects, settings, runs, shard }: SessionRequest,
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
  checkParameters(settings.set, planned);
  const division = divide(planned, shard);
  for (const pattern of settings.filter ?? []) checkFilter(pattern, names);
  if (command === 'scatter' && planned.length > 1) {
    throw new UsageError(
      'ERR_BENCH_SELECTION',
      `scatter requires a single benchmark, but ${planned.length} are selected: choose one with --filter: ${planned.map(({ name }) => name).join(', ')}`,
    );
  }
  const isEmpty = division.plan.benchmarks.every(({ configurations }) => configurations.length === 0);
  if (isEmpty && failed.length === 0) {
    throw new UsageError(
      'ERR_BENCH_NO_CONFIGURATION',
      'no configuration to run: check --set, --tag, and the combinationFilter of the benchmarks',
    );
  }
  yield { type: 'plan', record: division.plan };
  const mostRuns = typeof runs === 'number' ? runs : runs.maxRuns;
  const summaries = division.own.map(({ name, configurations }) => ({
    benchmark: name,
    configurations: configurations.length,
    totalRuns: configurations.length * subjects.length * mostRuns,
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

function checkParameters(set: readonly string[], planned: readonly PlannedBenchmark[]): void {
  // The parameters of a script that cannot be planned are unknown.
  if (planned.length === 0 || planned.some(({ unplanned }) => unplanned !== undefined)) return;
  const known = new Set(planned.flatMap((benchmark) => benchmark.parameters));
  for (const pair of set) {
    const name = pair.slice(0, pair.indexOf('='));
    if (known.has(name) || undeclared.includes(name)) continue;
    throw new UsageError(
      'ERR_BENCH_UNKNOWN_PARAMETER',
      `--set ${pair}: unknown parameter "${name}"; the selected benchmarks have ${[...known].sort().join(', ') || 'no parameters'}`,
    );
  }
}

async function* executePlanned(
  planned: readonly PlannedBenchmark[],
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const { runs } = context.request;
  if (typeof runs === 'number') {
    for (const benchmark of planned) yield* executeBenchmark(benchmark, runs, context);
    return;
  }
  // Only adaptive sessions load the statistics.
  const { executeAdaptively } = await import('./adaptive-session.ts');
  yield* executeAdaptively(planned, runs, context);
}

async function* executeBenchmark(
  benchmark: PlannedBenchmark,
  rounds: number,
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const { request, recorded, signal } = context;
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
    const subjects = request.subjects.map((subject) => subject.name);
    const runs = schedule({ ...benchmark, configurations }, subjects, rounds);
    yield* executeRuns(runs, preparation.executor, recorded, signal);
  } finally {
    const record = await preparation.end();
    if (record !== undefined) yield { type: 'failure', record };
  }
  yield { type: 'benchmark end', benchmark: name, durationMs: preparation.durationMs };
}
