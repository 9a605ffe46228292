import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { adaptiveRuns, alternativeOf, caseCount, mostRuns, UsageError } from '@bench-cli/results';
import {
  type AdaptiveRuns,
  changedFile,
  extended,
  type Recording,
  type RecordLine,
  type SessionRecord,
  type SessionRequest,
} from '@bench-cli/results/recording';
import { newSession, type OpenSession, openSession } from '../execution/open-session.ts';
import { checkRecording, resumeMismatch } from '../execution/recorded-session.ts';
import type { SessionEvent } from '../execution/session-event.ts';
import { readCounters, watchMachine } from '../machine/counters.ts';
import { readEnvironment } from '../machine/environment.ts';
import { type ImportedFiles, importedFilesOf } from '../plan/imported-code.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { checkColumns, checkParameters, checkSingleCase } from '../plan/set-parameters.ts';
import { rememberSession } from '../record/begun-sessions.ts';
import { RecordFile } from '../record/record-file.ts';
import { type Division, divide, isNewPlan } from '../shard/division.ts';
import { checkFilter } from '../suite/discover.ts';
import { executeRounds } from '../task/fixed-rounds.ts';
import { planBenchmarks } from '../task/planning.ts';
import { runWarnings } from './run-warning.ts';

export interface SessionOptions {
  /** Ends the session: its process is killed, and the iteration throws the reason. */
  readonly signal?: AbortSignal | undefined;
  /** The environment of its processes. Default: that of this process. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** The results file. Default: none. */
  readonly out?: string | undefined;
}

/**
 * Executes a session and yields its events. The end of the iteration ends the session, and no process outlives it.
 * @throws UsageError if a value is set for an unknown parameter, if there is nothing to run, or if `out` cannot be written
 */
export async function* runSession(
  request: SessionRequest,
  { signal, env, out }: SessionOptions = {},
): AsyncGenerator<SessionEvent, void, void> {
  const session = newSession(request, env);
  const file = out === undefined ? undefined : await RecordFile.create(out);
  yield* record(file, { signal, env }, async () => {
    file?.append(session);
    if (file !== undefined) rememberSession(file.path);
    return { session };
  });
}

export interface ResumeOptions extends Pick<SessionOptions, 'signal' | 'env'> {
  /** Run the programs that the file names even if this user did not begin the session here. Default false. */
  readonly trust?: boolean | undefined;
  /** Extends a comparison with adaptive runs: what is undecided goes on up to this number of runs. Default: as it began. */
  readonly maxRuns?: number | undefined;
  /** Gives a session with a time limit more time: the new limit of all of its runs, milliseconds. Default: as it began. */
  readonly budgetMs?: number | undefined;
}

/**
 * Continues an interrupted session: yields the recorded runs of a file again, and executes only the missing ones.
 * @throws UsageError if the file cannot be read or is of another user, or if the benchmarks, the runtimes or the machine have
 *   changed
 */
export async function* resumeSession(
  path: string,
  { signal, env, trust, maxRuns, budgetMs }: ResumeOptions = {},
): AsyncGenerator<SessionEvent, void, void> {
  const file = await RecordFile.continue(path);
  yield* record(file, { signal, env }, async () => {
    const { recording, session } = await checkRecording(path, trust, env);
    checkExtension(session.request, maxRuns);
    checkTime(session.request, budgetMs);
    file.resume(recording);
    const extension = {
      ...(maxRuns !== undefined && { maxRuns }),
      ...(budgetMs !== undefined && { budgetMs }),
    };
    const resumed = { startedAt: new Date().toISOString(), environment: readEnvironment(env) };
    file.append({ type: 'resumed', ...resumed, ...extension });
    return { session: extended(session, extension), former: recording };
  });
}

function checkTime({ runs }: SessionRequest, budgetMs: number | undefined): void {
  if (budgetMs === undefined) return;
  const formerMs = adaptiveRuns(runs)?.budgetMs;
  if (formerMs === undefined) {
    throw new UsageError(
      'ERR_BENCH_OPTION_CONFLICT',
      'a session goes on with --budget only if it has a time limit: remove --budget',
    );
  }
  if (budgetMs > formerMs) return;
  throw new UsageError(
    'ERR_BENCH_OPTION',
    `the session has a time limit of ${formerMs / 1000} s for all of its runs already, and --budget is ${budgetMs / 1000} s: give a longer time, or remove it`,
  );
}

function checkExtension({ command, runs }: SessionRequest, maxRuns: number | undefined): void {
  if (maxRuns === undefined) return;
  const adaptive = adaptiveRuns(runs);
  if (command !== 'compare' || adaptive === undefined) {
    throw new UsageError(
      'ERR_BENCH_OPTION_CONFLICT',
      'a session goes on with --max-runs only if it is a comparison with --runs auto: remove --max-runs, or start a new session',
    );
  }
  if (maxRuns > adaptive.maxRuns) return;
  throw new UsageError(
    'ERR_BENCH_OPTION',
    `the session has up to ${adaptive.maxRuns} runs already, and --max-runs is ${maxRuns}: give a larger number, or remove it`,
  );
}

/**
 * Writes every result to the file before it is yielded, and closes the file.
 * @param begin also says what was recorded before the session was interrupted
 */
async function* record(
  file: RecordFile | undefined,
  { signal, env }: Pick<SessionOptions, 'signal' | 'env'>,
  begin: () => Promise<{ readonly session: SessionRecord; readonly former?: Recording }>,
): AsyncGenerator<SessionEvent, void, void> {
  let isUnplanned = false;
  const appended = (line: RecordLine): SessionEvent | undefined => {
    const message = file?.append(line);
    return message === undefined ? undefined : { type: 'warning', message, movedTo: file?.path };
  };
  try {
    const { session, former } = await begin();
    isUnplanned = former === undefined;
    const append = (event: SessionEvent) => {
      if (event.type === 'plan') isUnplanned = false;
      if (!('record' in event)) return undefined;
      const isNew =
        'resumed' in event ? !event.resumed : event.type !== 'plan' || isNewPlan(event.record, former);
      return isNew ? appended(event.record) : undefined;
    };
    yield* openSession(session, measure, { signal, env, former, append });
    const warning = appended({ type: 'end', endedAt: new Date().toISOString() });
    if (warning !== undefined) yield warning;
  } catch (error) {
    // Otherwise the file would refuse the corrected command.
    if (isUnplanned && error instanceof UsageError) file?.remove();
    throw error;
  } finally {
    await file?.close();
  }
}

/** The task of `run`, `compare`, `scatter` and `bisect`. */
async function measure(open: OpenSession): Promise<void> {
  const { request, emit } = open;
  const { test } = request.settings;
  const loadSoFar = test ? undefined : watchMachine(readCounters, cpus().length);
  let isLoadKnown = mostRuns(request.runs) >= FEWEST_RUNS;
  const warnOfLoad = async () => {
    const message = isLoadKnown ? loadSoFar?.() : undefined;
    if (message !== undefined) await emit({ type: 'warning', message });
  };
  const watchedFrom = performance.now();
  const importedFiles = importedFilesOf(request, open.supervisor.env);
  const division = await plan(open, importedFiles);
  if (isLoadKnown) await delay(Math.max(0, SHORTEST_WATCH_MS - (performance.now() - watchedFrom)));
  await warnOfLoad();
  // The CPU time of a server that another process has started cannot be told from that of others.
  isLoadKnown &&= division.own.every(({ isHeld }) => !isHeld);
  const told = new Set<string>();
  const watched: OpenSession = {
    ...open,
    emit: async (event) => {
      if (event.type === 'run' && !event.resumed) {
        const { subject } = event.record;
        const files = importedFiles.later(subject);
        if (files !== undefined)
          await emit({ type: 'imported', record: { type: 'imported', subject, files } });
      }
      await emit(event);
      if (event.type !== 'run' || event.record.kind !== 'rate') return;
      const { record } = event;
      if (record.status === 'failed') return;
      if (record.load !== undefined) isLoadKnown = false;
      for (const { about, message } of runWarnings(record, request)) {
        if (told.has(about)) continue;
        told.add(about);
        await emit({ type: 'warning', message });
      }
    },
  };
  await executePlanned(division, watched);
  await warnOfLoad();
}

/** The CPU time that the system shows has steps of 10 ms. */
const SHORTEST_WATCH_MS = 200;

/** Fewer runs of a configuration are not meant to be exact. */
const FEWEST_RUNS = 5;

async function plan(open: OpenSession, importedFiles: ImportedFiles): Promise<Division> {
  const { request, emit } = open;
  const { command, settings, runs, metrics, shard } = request;
  const { planned, names, hasFailed } = await planBenchmarks(open);
  const startsLoadItself = ({ scripts }: PlannedBenchmark) =>
    [...scripts.values()].some(({ results }) => results === 'as reported');
  if (settings.loadCpuSet !== undefined && planned.some(startsLoadItself)) {
    const message =
      'LOADCPUSET has no effect on Node core benchmarks, because they start the load tool themselves, on the CPUs of CPUSET';
    await emit({ type: 'warning', message });
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
  if (command === 'scatter') checkColumns(planned);
  if (command === 'bisect') checkSingleCase(planned);
  const isEmpty = division.plan.benchmarks.every(({ configurations }) => configurations.length === 0);
  if (isEmpty && !hasFailed) {
    throw new UsageError(
      'ERR_BENCH_NO_CONFIGURATION',
      'no configuration to run: check --set, --tag, and the combinationFilter of the benchmarks',
    );
  }
  const code = importedFiles.planned();
  const changed =
    changedFile(open.code, code) ?? changedFile(open.imported, importedFiles.now(open.imported), false);
  if (changed !== undefined)
    throw resumeMismatch(`${changed} has changed since the session began: restore it`);
  await emit({ type: 'plan', record: { ...division.plan, code } });
  const roundsOf = ({ isNew }: PlannedBenchmark) => {
    const adaptive = adaptiveRuns(runs);
    return isNew && adaptive ? roundsOfNew(adaptive) : mostRuns(runs);
  };
  const summaries = division.own.map((benchmark) => ({
    benchmark: benchmark.name,
    configurations: benchmark.configurations.length,
    totalRuns:
      benchmark.configurations.length * benchmark.scripts.size * (roundsOf(benchmark) + (metrics?.runs ?? 0)),
    isNew: benchmark.isNew,
  }));
  const totalRuns = summaries.reduce((sum, summary) => sum + summary.totalRuns, 0);
  await emit({ type: 'planned', benchmarks: summaries, totalRuns });
  return { ...division, own: division.own.filter((benchmark) => benchmark.configurations.length > 0) };
}

async function executePlanned({ plan, own }: Division, open: OpenSession): Promise<void> {
  const { command, runs } = open.request;
  if (command === 'bisect') {
    const { searchVersions } = await import('../task/version-search.ts');
    for (const benchmark of own) await searchVersions(benchmark, open);
    return;
  }
  const adaptive = adaptiveRuns(runs);
  if (adaptive === undefined) {
    const groups = open.lanes.length > 1 ? [own] : alternatives(own, open.request);
    for (const group of groups) await executeRounds(group, mostRuns(runs), open);
    return;
  }
  // Only adaptive sessions load the statistics.
  const { executeAdaptively } = await import('../task/adaptive-rounds.ts');
  const [compared, unjudged] = [own.filter(({ isNew }) => !isNew), own.filter(({ isNew }) => isNew)];
  if (compared.length > 0) await executeAdaptively(compared, adaptive, caseCount(plan), open);
  for (const benchmark of unjudged) await executeRounds([benchmark], roundsOfNew(adaptive), open);
}

/** Benchmarks that are ways to do the same take turns, so that a drift of the machine affects them equally. */
function alternatives(own: readonly PlannedBenchmark[], { files }: Pick<SessionRequest, 'files'>) {
  return Map.groupBy(own, ({ name }) => alternativeOf(name, files)?.group ?? name).values();
}

/** An adaptive session runs a new benchmark a few times, because no verdict decides when it ends. */
function roundsOfNew({ maxRuns }: AdaptiveRuns): number {
  return Math.min(3, maxRuns);
}
