import { cpuSetsOverlap } from './cpu-set.ts';
import { readEnvironment } from './environment.ts';
import { type Execution, executeRuns, ProcessExecutor } from './execution.ts';
import { UsageError } from './failure.ts';
import { type PlannedBenchmark, planBenchmark } from './plan.ts';
import type { BenchmarkFailure, RunRecord, SessionRecord, SessionRequest } from './record.ts';
import { RecordFile, type Recording, readRecording } from './record-file.ts';
import { digestsOf } from './request.ts';
import { configurationKey, runKey, schedule } from './schedule.ts';
import { resolveSubject } from './subject.ts';
import { Supervisor } from './supervisor.ts';

/** What happens in a session, in order. */
export type SessionEvent =
  | { readonly type: 'session'; readonly session: SessionRecord }
  /** The configurations of a benchmark are about to be asked for. */
  | { readonly type: 'planning'; readonly benchmark: string; readonly index: number; readonly count: number }
  | { readonly type: 'planned'; readonly benchmarks: readonly PlanSummary[]; readonly totalRuns: number }
  | { readonly type: 'benchmark start'; readonly benchmark: string }
  | { readonly type: 'benchmark end'; readonly benchmark: string; readonly durationMs: number }
  | Execution
  | { readonly type: 'failure'; readonly record: BenchmarkFailure }
  | { readonly type: 'warning'; readonly message: string };

export interface PlanSummary {
  readonly benchmark: string;
  readonly configurations: number;
  readonly totalRuns: number;
}

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
    format: 1,
    startedAt: new Date().toISOString(),
    request,
    digests: digestsOf(request.files),
    environment: readEnvironment(),
  };
  const file = options.out === undefined ? undefined : RecordFile.create(options.out);
  file?.append(session);
  yield* record(file, execute(session, [], options.signal));
}

/**
 * Continues the session that a file holds, after it was cut off: runs that the file has are yielded again in their
 * place, and only those that are missing are executed.
 * @throws UsageError when the file cannot be read, or the benchmarks or runtimes are not what they were
 */
export async function* resumeSession(
  path: string,
  options: Pick<SessionOptions, 'signal'> = {},
): AsyncGenerator<SessionEvent, void, void> {
  const recording = readRecording(path);
  await checkUnchanged(recording);
  const file = RecordFile.continue(path, recording);
  file.append({ type: 'resumed', startedAt: new Date().toISOString(), environment: readEnvironment() });
  yield* record(file, execute(recording.session, recording.runs, options.signal));
}

async function checkUnchanged({ session }: Recording): Promise<void> {
  const { request, digests } = session;
  const now = digestsOf(request.files);
  const changed = request.files.find(({ name }) => now[name] !== digests[name]);
  if (changed !== undefined) {
    throw new UsageError(
      `${changed.path} has changed since the session began: its runs could not be compared with the former ones; begin a new session`,
    );
  }
  for (const { name, executable, flags, env, runtime } of request.subjects) {
    const { version } = (await resolveSubject(name, { runtime: executable, flags, env })).runtime;
    if (version !== runtime.version) {
      throw new UsageError(
        `${name}: ${executable} was ${runtime.version} and is ${version} now; begin a new session`,
      );
    }
  }
}

/** Every result is in the file before anyone sees it. */
async function* record(
  file: RecordFile | undefined,
  events: AsyncGenerator<SessionEvent, void, void>,
): AsyncGenerator<SessionEvent, void, void> {
  try {
    for await (const event of events) {
      if (event.type === 'failure') file?.append(event.record);
      if (event.type === 'run' && !event.resumed) file?.append(event.record);
      yield event;
    }
  } finally {
    file?.close();
  }
}

async function* execute(
  session: SessionRecord,
  former: readonly RunRecord[],
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, void, void> {
  const { request } = session;
  const supervisor = new Supervisor();
  try {
    yield { type: 'session', session };
    const planned = yield* plan(request, supervisor, signal);
    const formerByKey = Map.groupBy(former, ({ configuration, scheduled = configuration, ...run }) =>
      runKey({ ...run, configuration: scheduled }),
    );
    let warned = false;
    for (const benchmark of planned) {
      for await (const event of executeBenchmark(benchmark, request, formerByKey, supervisor, signal)) {
        yield event;
        if (warned || !loadSharesCpus(event, request)) continue;
        warned = true;
        yield { type: 'warning', message: loadSharesCpusMessage };
      }
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
  { files, subjects, settings, runs }: SessionRequest,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, readonly PlannedBenchmark[], void> {
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
  const summaries = planned.map(({ file, configurations }) => ({
    benchmark: file.name,
    configurations: configurations.length,
    totalRuns: configurations.length * subjects.length * runs,
  }));
  const totalRuns = summaries.reduce((sum, summary) => sum + summary.totalRuns, 0);
  if (totalRuns === 0 && planned.length === files.length) {
    throw new UsageError(
      'no configuration fits: nothing is left to run; see --set, and the combinationFilter of the benchmarks',
    );
  }
  yield { type: 'planned', benchmarks: summaries, totalRuns };
  return planned.filter((benchmark) => benchmark.configurations.length > 0);
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
    throw new UsageError(
      `--set ${pair}: no selected benchmark has a parameter "${name}"; they have: ${[...known].sort().join(', ') || 'none'}`,
    );
  }
}

async function* executeBenchmark(
  benchmark: PlannedBenchmark,
  request: SessionRequest,
  former: ReadonlyMap<string, readonly RunRecord[]>,
  supervisor: Supervisor,
  signal: AbortSignal | undefined,
): AsyncGenerator<SessionEvent, void, void> {
  const { name } = benchmark.file;
  const { subjects, settings } = request;
  const executor = new ProcessExecutor(benchmark, subjects, settings, supervisor);
  const subject = subjects[0]?.name ?? '';
  const startedAtMs = performance.now();
  yield { type: 'benchmark start', benchmark: name };
  if (benchmark.setup) {
    const failure = await executor.prepare('setup', signal);
    if (failure) {
      yield {
        type: 'failure',
        record: { type: 'failure', benchmark: name, phase: 'setup', subject, failure },
      };
      return;
    }
  }
  try {
    const runs = schedule(
      benchmark,
      subjects.map((each) => each.name),
      request.runs,
    );
    yield* executeRuns(runs, executor, (run) => former.get(runKey(run)), configurationKey, signal);
  } finally {
    // Also after an abort: what setup made must not stay behind.
    const failure = benchmark.teardown ? await executor.prepare('teardown') : undefined;
    if (failure) {
      yield {
        type: 'failure',
        record: { type: 'failure', benchmark: name, phase: 'teardown', subject, failure },
      };
    }
  }
  yield { type: 'benchmark end', benchmark: name, durationMs: performance.now() - startedAtMs };
}
