import { RECORD_FORMAT, type SessionRecord, type SessionRequest, type Recording, readRecording, scheduledConfiguration } from '@bench-cli/results/recording';
import { UsageError, caseKey } from '@bench-cli/results';
import { calibratedConfigurations } from './calibrated.ts';
import { cpuSetsOverlap } from '../process/cpu-set.ts';
import { type Division, divide, isNewPlan } from '../shard/division.ts';
import { machineText, readEnvironment } from '../process/environment.ts';
import { executeRuns } from './execution.ts';
import { type PlannedBenchmark, planBenchmark } from '../plan/plan.ts';
import { Preparation } from './preparation.ts';
import { RecordFile } from '../record/record-file.ts';
import { digestsOf } from '../plan/request.ts';
import { runKey, type ScheduledRun, schedule } from '../plan/schedule.ts';
import type { SessionEvent } from './session-event.ts';
import type { SessionExecution } from './session-execution.ts';
import { resolveSubject } from '../subject/subject.ts';
import { Supervisor } from '../process/supervisor.ts';

export interface SessionOptions {
  /** Ends the session: the process that runs is killed, and the iteration throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The file to record to. Default: nothing is recorded. */
  readonly out?: string | undefined;
}

/** Parameters that scripts understand without declaring them. */
const undeclared = ['benchmarker'];

/**
 * Executes a session and yields what happens as it happens. Whoever stops iterating ends the session; no process
 * outlives it.
 * @throws UsageError when a value is set for a parameter that no benchmark has, when nothing is left to run, or when
 *   `out` cannot be written
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
  const file = options.out === undefined ? undefined : RecordFile.create(options.out);
  file?.append(session);
  yield* record(file, execute(session, { runs: [], calibrations: [] }, options.signal), undefined);
}

/**
 * Continues the session that a file holds, after it was cut off: runs that the file has are yielded again in their
 * place, and only those that are missing are executed.
 * @throws UsageError when the file cannot be read, or the benchmarks, the runtimes or the machine are not what they were
 */
export async function* resumeSession(
  path: string,
  options: Pick<SessionOptions, 'signal'> = {},
): AsyncGenerator<SessionEvent, void, void> {
  const recording = readRecording(path);
  await checkUnchanged(recording);
  const file = RecordFile.continue(path, recording);
  file.append({ type: 'resumed', startedAt: new Date().toISOString(), environment: readEnvironment() });
  yield* record(file, execute(recording.session, recording, options.signal), recording);
}

async function checkUnchanged({ session }: Recording): Promise<void> {
  const { request, digests } = session;
  const [then, here] = [session.environment, readEnvironment()].map(machineText);
  if (then !== here) {
    throw new UsageError('ERR_BENCH_SESSION', 
      `the session began on ${then}, and this is ${here}: runs of two machines would be compared with each other; resume it on such a machine, or begin a new session`,
    );
  }
  const now = digestsOf(request.files);
  const changed = request.files.find(({ name }) => now[name] !== digests[name]);
  if (changed !== undefined) {
    throw new UsageError('ERR_BENCH_SESSION', 
      `${changed.path} has changed since the session began: its runs could not be compared with the former ones; begin a new session`,
    );
  }
  for (const { name, executable, flags, env, runtime } of request.subjects) {
    const { version } = (await resolveSubject(name, { runtime: executable, flags, env })).runtime;
    if (version !== runtime.version) {
      throw new UsageError('ERR_BENCH_SESSION', 
        `${name}: ${executable} was ${runtime.version} and is ${version} now; begin a new session`,
      );
    }
  }
}

/** Every result is in the file before anyone sees it. */
async function* record(
  file: RecordFile | undefined,
  events: AsyncGenerator<SessionEvent, void, void>,
  former: Recording | undefined,
): AsyncGenerator<SessionEvent, void, void> {
  try {
    for await (const event of events) {
      if (event.type === 'plan' && isNewPlan(event.record, former)) file?.append(event.record);
      if (event.type === 'failure') file?.append(event.record);
      if ((event.type === 'run' || event.type === 'calibrated') && !event.resumed) file?.append(event.record);
      yield event;
    }
    file?.append({ type: 'end', endedAt: new Date().toISOString() });
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
    const execution = {
      request,
      recorded: (run: ScheduledRun) => formerByKey.get(runKey(run)),
      size: division.plan.benchmarks.reduce((sum, { configurations }) => sum + configurations.length, 0),
      calibrations: former.calibrations,
      supervisor,
      signal,
    };
    let warned = false;
    for await (const event of executePlanned(division.own, execution)) {
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
  'servers and the load tool share CPUs, so each slows the other down and rates mean little beyond this machine; keep them apart with --set CPUSET=0 --set LOADCPUSET=1';

function loadSharesCpus(event: SessionEvent, { settings }: SessionRequest): boolean {
  if (event.type !== 'run' || event.record.status !== 'ok' || event.record.load === undefined) return false;
  return !settings.test && cpuSetsOverlap(settings.cpuSet, settings.loadCpuSet);
}

async function* plan(
  { files, subjects, settings, runs, shard }: SessionRequest,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, Division, void> {
  const planned: PlannedBenchmark[] = [];
  for (const [index, file] of files.entries()) {
    yield { type: 'planning', benchmark: file.name, index, count: files.length };
    const result = await planBenchmark(file, subjects, settings, supervisor, signal);
    if ('failure' in result) {
      const { subject, failure } = result;
      yield {
        type: 'failure',
        record: { type: 'failure', benchmark: file.name, phase: 'plan', subject, failure },
      };
      continue;
    }
    planned.push(result);
    for (const message of warningsOf(result)) yield { type: 'warning', message };
  }
  if (settings.loadCpuSet !== undefined && planned.some(startsLoadItself)) {
    const message =
      'LOADCPUSET has no effect on benchmarks of Node core, which start the load tool themselves, on the CPUs of CPUSET';
    yield { type: 'warning', message };
  }
  checkParameters(settings.set, planned);
  const division = divide(planned, shard);
  const isEmpty = division.plan.benchmarks.every(({ configurations }) => configurations.length === 0);
  if (isEmpty && planned.length === files.length) {
    throw new UsageError('ERR_BENCH_SESSION', 
      'no configuration fits: nothing is left to run; see --set, and the combinationFilter of the benchmarks',
    );
  }
  yield { type: 'plan', record: division.plan };
  const mostRuns = typeof runs === 'number' ? runs : runs.maxRuns;
  const summaries = division.own.map(({ file, configurations }) => ({
    benchmark: file.name,
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

function warningsOf(benchmark: PlannedBenchmark): readonly string[] {
  const { file, configurations, uncommon, unplanned, skipped } = benchmark;
  if (skipped !== undefined) {
    return [
      `${file.name}: ended without creating a benchmark, so it does not run${skipped && `; it printed: ${skipped}`}`,
    ];
  }
  if (unplanned !== undefined) {
    return [
      `${file.name}: its configurations are not known, since ${unplanned}; each of its runs is the whole script, which executes them all one after the other`,
    ];
  }
  if (uncommon > 0) {
    return [
      `${file.name}: ${uncommon} configuration${uncommon === 1 ? ' is' : 's are'} left out, since not every subject has ${uncommon === 1 ? 'it' : 'them'}`,
    ];
  }
  return configurations.length === 0 ? [`${file.name}: no configuration fits, so it does not run`] : [];
}

function checkParameters(set: readonly string[], planned: readonly PlannedBenchmark[]): void {
  // What a script does with its arguments that tells of no parameters cannot be known.
  if (planned.length === 0 || planned.some(({ unplanned }) => unplanned !== undefined)) return;
  const known = new Set(planned.flatMap((benchmark) => benchmark.parameters));
  for (const pair of set) {
    const name = pair.slice(0, pair.indexOf('='));
    if (known.has(name) || undeclared.includes(name)) continue;
    throw new UsageError('ERR_BENCH_SESSION', 
      `--set ${pair}: no selected benchmark has a parameter "${name}"; they have: ${[...known].sort().join(', ') || 'none'}`,
    );
  }
}

async function* executePlanned(
  planned: readonly PlannedBenchmark[],
  execution: SessionExecution,
): AsyncGenerator<SessionEvent, void, void> {
  const { runs } = execution.request;
  if (typeof runs === 'number') {
    for (const benchmark of planned) yield* executeBenchmark(benchmark, runs, execution);
    return;
  }
  // The statistics are loaded by those who decide while they run.
  const { executeAdaptively } = await import('./adaptive-session.ts');
  yield* executeAdaptively(planned, runs, execution);
}

async function* executeBenchmark(
  benchmark: PlannedBenchmark,
  rounds: number,
  { request, recorded, calibrations, supervisor, signal }: SessionExecution,
): AsyncGenerator<SessionEvent, void, void> {
  const { name } = benchmark.file;
  const preparation = new Preparation(benchmark, request, supervisor);
  yield { type: 'benchmark start', benchmark: name };
  const unprepared = await preparation.begin(signal);
  if (unprepared !== undefined) {
    yield { type: 'failure', record: unprepared };
    return;
  }
  try {
    const configurations = yield* calibratedConfigurations(preparation, request, calibrations, signal);
    const subjects = request.subjects.map((subject) => subject.name);
    const runs = schedule({ ...benchmark, configurations }, subjects, rounds);
    yield* executeRuns(runs, preparation.executor, recorded, caseKey, signal);
  } finally {
    const record = await preparation.end();
    if (record !== undefined) yield { type: 'failure', record };
  }
  yield { type: 'benchmark end', benchmark: name, durationMs: preparation.durationMs };
}
