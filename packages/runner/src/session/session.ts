import { adaptiveRuns, alternativeOf, caseCount, mostRuns, UsageError } from '@bench-cli/results';
import {
  changedFile,
  extended,
  type Recording,
  type SessionRecord,
  type SessionRequest,
} from '@bench-cli/results/recording';
import { newSession, type OpenSession, openSession, type ProcessOptions } from '../execution/open-session.ts';
import { checkRecording, resumeMismatch } from '../execution/recorded-session.ts';
import type { SessionEvent } from '../execution/session-event.ts';
import { divide, isNewPlan } from '../plan/division.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { checkColumns, checkParameters, checkSingleCase } from '../plan/set-parameters.ts';
import type { ScriptedExecutor } from '../process/supervisor.ts';
import { rememberSession } from '../record/begun-sessions.ts';
import { RecordFile } from '../record/record-file.ts';
import { checkFilter } from '../suite/discover.ts';
import { divideAffected } from '../task/affected-files.ts';
import { loadedCode, planBenchmarks, planRemoved } from '../task/planning.ts';
import { executeRounds } from '../task/prepared-cases.ts';
import { refuseUnknown } from './request.ts';
import { runWarner } from './run-warning.ts';
import { judgeSession } from './session-result.ts';

export interface SessionOptions extends ProcessOptions {
  /** Takes the place of processes, for tests of sessions that need only rates. */
  readonly scripted?: ScriptedExecutor | undefined;
  /** The results file. Default: none. */
  readonly out?: string | undefined;
  /** End with the event `plan`, before anything is measured, and execute no whole command. Default false. */
  readonly onlyPlan?: boolean | undefined;
}

/**
 * Executes a session and yields its events. No process outlives the iteration.
 * @throws UsageError if an option is unknown, if a value is set for an unknown parameter, if there is nothing
 * to run, or if `out` cannot be written
 */
export async function* runSession(
  request: SessionRequest,
  options: SessionOptions = {},
): AsyncGenerator<SessionEvent, void, void> {
  refuseUnknown(options, ['signal', 'env', 'scripted', 'out', 'onlyPlan'] satisfies (keyof SessionOptions)[]);
  const { env, out } = options;
  const session = newSession(request, env);
  const file = out === undefined ? undefined : await RecordFile.create(out);
  yield* record(file, options, async () => {
    file?.append(session);
    if (file !== undefined) rememberSession(session);
    return { session };
  });
}

export interface ResumeOptions extends Pick<SessionOptions, 'signal' | 'env' | 'scripted'> {
  /** Run the programs that the file names even if this user did not begin the session here. Default false. */
  readonly trust?: boolean | undefined;
  /** Undecided adaptive comparisons go on up to this number of runs. Default: as it began. */
  readonly maxRuns?: number | undefined;
  /** The new time limit of all runs of a session with a time limit, milliseconds. Default: as it began. */
  readonly budgetMs?: number | undefined;
}

/**
 * Continues an interrupted session: yields the recorded runs of a file, and executes the missing ones.
 * @throws UsageError if an option is unknown, if the file cannot be read or is of another user, or if the
 * benchmarks, the runtimes or the machine have changed
 */
export async function* resumeSession(
  path: string,
  options: ResumeOptions = {},
): AsyncGenerator<SessionEvent, void, void> {
  refuseUnknown(options, [
    'signal',
    'env',
    'scripted',
    'trust',
    'maxRuns',
    'budgetMs',
  ] satisfies (keyof ResumeOptions)[]);
  const { env, trust, maxRuns, budgetMs } = options;
  const file = await RecordFile.continue(path);
  yield* record(file, options, async () => {
    const { recording, session, environment } = await checkRecording(path, trust, env, file.fd);
    checkExtension(session.request, options);
    const extension = {
      ...(maxRuns !== undefined && { maxRuns }),
      ...(budgetMs !== undefined && { budgetMs }),
    };
    const longer = extended(session, extension);
    if (maxRuns !== undefined && budgetMs === undefined) {
      const why = await whyClosed(recording, longer, maxRuns);
      if (why !== undefined) {
        const problem = `--max-runs ${maxRuns} starts no run of ${path}: ${why}`;
        throw new UsageError('ERR_BENCH_OPTION', problem, { option: 'maxRuns' });
      }
    }
    file.resume(recording);
    const startedAt = new Date().toISOString();
    file.append({ type: 'resumed', startedAt, environment, ...extension });
    return { session: longer, former: recording };
  });
}

/** Why more runs start none; undefined if they do. Each extension costs a part of the error rate. */
async function whyClosed(
  recording: Recording,
  longer: SessionRecord,
  maxRuns: number,
): Promise<string | undefined> {
  const { runs, shard } = recording.session.request;
  const { budgetMs, limits } = adaptiveRuns(runs) ?? {};
  // All shards need the same extensions.
  if (!recording.ended || shard !== undefined) return undefined;
  const hasReason = async (reason: 'out-of-time' | 'interrupted', judged: Recording) =>
    (await judgeSession(judged)).list.comparisons.some((each) => each.reason === reason);
  if (budgetMs !== undefined && (await hasReason('out-of-time', recording)))
    return `its time limit of ${budgetMs / 1000} s is used up; add --budget with more`;
  // Gates keep what is decided open.
  if (
    limits !== undefined ||
    (await hasReason('interrupted', { ...recording, session: longer, ended: false }))
  )
    return undefined;
  return `each result is clear, or not expected to become clear in ${maxRuns} runs; leave --max-runs out`;
}

function checkExtension({ command, runs }: SessionRequest, { maxRuns, budgetMs }: ResumeOptions): void {
  const adaptive = adaptiveRuns(runs);
  const formerRuns = command === 'compare' ? adaptive?.maxRuns : undefined;
  const extensions = [
    ['--max-runs', maxRuns, formerRuns, 1, '', 'it is a comparison with --runs auto'],
    ['--budget', budgetMs, adaptive?.budgetMs, 1000, ' s', 'it has a time limit'],
  ] as const;
  for (const [option, wanted, former, divisor, unit, condition] of extensions) {
    if (wanted === undefined || (former !== undefined && wanted > former)) continue;
    if (former === undefined) {
      const problem = `a session goes on with ${option} only if ${condition}: remove ${option}, or start a new session`;
      throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem);
    }
    const problem = `the session has ${option} ${former / divisor}${unit} already, and ${option} is ${wanted / divisor}${unit}: give more, or remove it`;
    throw new UsageError('ERR_BENCH_OPTION', problem);
  }
}

/** Executes a session, and closes its file. @param begin also returns what was recorded before */
async function* record(
  file: RecordFile | undefined,
  { signal, env, scripted, onlyPlan }: Omit<SessionOptions, 'out'>,
  begin: () => Promise<{ readonly session: SessionRecord; readonly former?: Recording }>,
): AsyncGenerator<SessionEvent, void, void> {
  let isPlanned = true;
  try {
    const { session, former } = await begin();
    isPlanned = former !== undefined;
    const append = (event: SessionEvent, emit: OpenSession['emit']) => {
      if (event.type === 'plan') isPlanned = true;
      if (!('record' in event)) return undefined;
      const isNew =
        'resumed' in event ? !event.resumed : event.type !== 'plan' || isNewPlan(event.record, former);
      const message = isNew ? file?.append(event.record) : undefined;
      return message && emit({ type: 'warning', message, movedTo: file?.path });
    };
    const task = onlyPlan ? async (open: OpenSession) => void (await plan(open)) : measure;
    yield* openSession(session, task, { signal, env, scripted, onlyPlan, former, record: append });
  } catch (error) {
    // Otherwise the file would refuse the corrected command.
    if (!isPlanned && error instanceof UsageError) file?.remove();
    throw error;
  } finally {
    await file?.close();
  }
}

/** The task of `run`, `compare`, `scatter` and `bisect`. */
async function measure(open: OpenSession): Promise<void> {
  open.listen(runWarner(open));
  const { plan: planned, measured } = await plan(open);
  const { command, runs } = open.request;
  if (command === 'bisect') {
    const { searchVersions } = await import('../task/version-search.ts');
    for (const benchmark of measured) await searchVersions(benchmark, open);
    return;
  }
  const adaptive = adaptiveRuns(runs);
  if (adaptive === undefined) {
    // Benchmarks that are ways to do the same take turns, so that a drift of the machine affects all of them.
    const groupOf = ({ name }: PlannedBenchmark) => alternativeOf(name, open.request.files)?.group ?? name;
    const groups = open.lanes.length > 1 ? [measured] : Map.groupBy(measured, groupOf).values();
    for (const group of groups) await executeRounds(group, mostRuns(runs), open);
    return;
  }
  // Only adaptive sessions load the statistics.
  const { executeAdaptively } = await import('../task/adaptive-rounds.ts');
  const compared = measured.filter(({ isNew }) => !isNew);
  if (compared.length > 0) await executeAdaptively(compared, adaptive, caseCount(planned), open);
  for (const benchmark of measured)
    if (benchmark.isNew) await executeRounds([benchmark], roundsOf(benchmark, runs), open);
}

async function plan(open: OpenSession) {
  const { request, emit } = open;
  const { command, settings, runs, metrics, shard } = request;
  const { planned, names, failures } = await planBenchmarks(open);
  const startsLoadItself = ({ scripts }: PlannedBenchmark) =>
    [...scripts.values()].some(({ results }) => results === 'as reported');
  if (settings.loadCpuSet !== undefined && planned.some(startsLoadItself)) {
    const message =
      'LOADCPUSET has no effect on Node core benchmarks, because they start the load tool themselves, on the CPUs of CPUSET';
    await emit({ type: 'warning', message });
  }
  checkParameters(settings, planned);
  for (const pattern of settings.filter ?? []) checkFilter(pattern, names);
  const loaded = await loadedCode(open);
  const changed = changedFile(open.plan?.loaded ?? {}, loaded);
  if (changed !== undefined)
    throw resumeMismatch(`${changed} has changed since the session began: restore it`);
  const { affected, unaffected } = await divideAffected(planned, open, failures.length > 0);
  const division = divide(affected, shard);
  if (command === 'scatter' && planned.length > 1) {
    const problem = `scatter requires a single benchmark, but ${planned.length} are selected: choose one with --filter: ${planned.map(({ name }) => name).join(', ')}`;
    throw new UsageError('ERR_BENCH_SELECTION', problem);
  }
  if (command === 'scatter') checkColumns(planned);
  if (command === 'bisect') checkSingleCase(planned);
  const unmatched = [...planned.flatMap((benchmark) => benchmark.unmatched), ...(await planRemoved(open))];
  const isEmpty = division.plan.benchmarks.every(({ configurations }) => configurations.length === 0);
  if (isEmpty && failures.length === 0 && unaffected.length + unmatched.length === 0) {
    const problem = 'no case to run: check --set, --tag, and the combinationFilter of the benchmarks';
    throw new UsageError('ERR_BENCH_NO_CONFIGURATION', problem);
  }
  const record = {
    ...division.plan,
    ...(unaffected.length > 0 && { unaffected }),
    ...(unmatched.length > 0 && { unmatched }),
    loaded,
  };
  await emit({ type: 'plan', record });
  const measured = division.measured.filter(({ configurations }) => configurations.length > 0);
  const summaries = measured.map(({ name: benchmark, configurations, scripts, isNew, isHeld }) => {
    const rounds = roundsOf({ isNew }, runs) + (metrics?.runs ?? 0);
    const totalRuns = configurations.length * scripts.size * rounds;
    return { benchmark, configurations: configurations.length, totalRuns, isNew, isHeld };
  });
  const totalRuns = summaries.reduce((sum, summary) => sum + summary.totalRuns, 0);
  await emit({ type: 'planned', benchmarks: summaries, totalRuns });
  return { ...division, measured };
}

/** An adaptive session runs a new benchmark a few times, because no verdict decides when it ends. */
function roundsOf({ isNew }: Pick<PlannedBenchmark, 'isNew'>, runs: SessionRequest['runs']): number {
  return isNew && adaptiveRuns(runs) ? Math.min(3, mostRuns(runs)) : mostRuns(runs);
}
