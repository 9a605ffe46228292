import { join } from 'node:path';
import type { ActivityOrder } from '@bench-cli/agent';
import { caseKey, UsageError } from '@bench-cli/results';
import type { Failure, RunRecord, SucceededRun } from '@bench-cli/results/recording';
import type { PlacedRequest, PlacedSubject } from '@bench-cli/subjects';
import { checkConcurrent } from '../machine/jobs.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import type { ScheduledRun } from '../plan/schedule.ts';
import { failureOf, type ProcessRequest } from '../process/supervisor.ts';
import { turnsCpu } from '../process/turns.ts';
import { type CommandOutcome, runWholeCommand } from '../suite/command.ts';
import { keptOpenText } from '../suite/kept-open.ts';
import {
  activityProbe,
  importedFilesProbesOf,
  type MetricProbe,
  type RequiredProbe,
  type Script,
  scriptProcess,
  stopsClocks,
  turnsProbe,
} from '../suite/script.ts';
import type { GivenUp } from './given-up.ts';
import type { Lane } from './lane.ts';
import type { OpenSession } from './open-session.ts';

/** Executes one run. Scheduling depends only on this interface, not on processes. */
export interface Executor {
  /**
   * @param probe measures the process; its records are metrics, not rates
   * @returns a record of each result that the process reported, usually one
   * @throws the reason of `signal` if it aborts, or a UsageError for a run that disturbs those of other
   * lanes; a failed run is a record, not an error
   */
  execute(run: ScheduledRun, signal: AbortSignal, probe?: RequiredProbe): Promise<RunRecords>;
  /** How the runs of a round take turns; undefined if their processes cannot. */
  turns?(round: readonly ScheduledRun[]): TurnsExecutor | undefined;
}

export type RunRecords = readonly [RunRecord, ...RunRecord[]];

/** Executes runs of a round in turns, with the errors of `Executor`. */
export interface TurnsExecutor {
  /**
   * Executes a run without turns, and records how its process spent its time.
   * @param forRate whether its rate is looked at, which the observation of collections would change
   */
  look(run: ScheduledRun, signal: AbortSignal, forRate?: boolean): Promise<RunRecords>;
  /**
   * @param way with `look`, it records how the processes spend their time, too; runs in long slices are
   * looks, which only show what short slices change
   */
  execute(
    runs: readonly ScheduledRun[],
    signal: AbortSignal,
    way?: 'look' | 'long slices',
  ): Promise<readonly RunRecords[]>;
}

export function sideOf({ scripts }: PlannedBenchmark, subjects: readonly PlacedSubject[], name: string) {
  const [script, subject] = [scripts.get(name), subjects.find((each) => each.name === name)];
  if (script === undefined || subject === undefined) throw new RangeError(`unknown subject ${name}`);
  return { script, subject };
}

/**
 * Executes the runs of one benchmark in real processes.
 * @param runs how many a case has
 * @param lane where the processes run; the CPUs of a job take the place of those of the settings
 * @param variables those that the setup has set for the runs
 * @param warn gets warnings about the processes
 */
export function processExecutor(
  benchmark: PlannedBenchmark,
  { subjects, settings: given, runs }: Pick<PlacedRequest, 'subjects' | 'settings' | 'runs'>,
  { supervisor, cpus, env: ofLane = {} }: Pick<Lane, 'supervisor'> & Partial<Lane>,
  variables: NodeJS.ProcessEnv = {},
  warn: (message: string) => Promise<void> = async () => {},
): Executor {
  const settings = cpus === undefined ? given : { ...given, cpuSet: cpus };
  /** The cases, with their subjects, of which the loaded files are known. */
  const asked = new Set<string>();

  /**
   * The first run of each case tells which files it loads, because a benchmark can import some when it runs.
   * That takes time, so if no case is run again, only the first one tells.
   */
  const importedFilesProbes = (run: ScheduledRun): readonly RequiredProbe[] => {
    const { script, subject } = sideOf(benchmark, subjects, run.subject);
    const { flags, results } = script;
    const key = JSON.stringify([runs !== 1 && caseKey(run), run.subject]);
    if (asked.has(key) || results === 'wall time') return [];
    asked.add(key);
    return importedFilesProbesOf(subject, flags);
  };

  const requestOf = (
    run: ScheduledRun,
    probes: readonly RequiredProbe[],
    env: NodeJS.ProcessEnv = ofLane,
    cpuSet = settings.cpuSet,
  ): ProcessRequest => {
    const { script, subject } = sideOf(benchmark, subjects, run.subject);
    const request = scriptProcess(run.configuration, script, subject, { ...settings, cpuSet }, probes);
    const isPlanned = run.order !== undefined && script.results === 'one';
    const order = isPlanned ? { ...request.order, sampling: run.order } : request.order;
    return { ...request, order, env: { ...request.env, ...env, ...variables } };
  };

  const recorded = (
    { order: _order, ...run }: ScheduledRun,
    startedAt: string,
    outcome: CommandOutcome,
    details: Partial<Pick<RunFields, 'kind' | 'inTurns'>> = {},
  ) => {
    const { script } = sideOf(benchmark, subjects, run.subject);
    const more = { ...(cpus !== undefined && { cpus }), ...details, activity: outcome.activity };
    const fields = { type: 'run', kind: 'rate', ...run, startedAt, ...more } as const;
    const records = recordsOf(outcome, fields, script, benchmark.unplanned !== undefined);
    if (cpus !== undefined) checkConcurrent(records);
    return records;
  };

  const canTakeTurns = ({ subject: name }: ScheduledRun): boolean => {
    const { script, subject } = sideOf(benchmark, subjects, name);
    const isMeasured = script.results !== 'wall time' && benchmark.unplanned === undefined && !settings.test;
    return isMeasured && stopsClocks(subject, script.flags);
  };

  const executeAlone = async (
    run: ScheduledRun,
    signal: AbortSignal,
    probes: readonly RequiredProbe[],
    details?: Pick<RunFields, 'kind'>,
  ) => {
    const startedAt = new Date().toISOString();
    const request = requestOf(run, probes);
    const isCommand = sideOf(benchmark, subjects, run.subject).script.results === 'wall time';
    const [outcome] = await whileAwake(benchmark, warn, async () => [
      isCommand
        ? await runWholeCommand(request, run.configuration, settings, supervisor, signal)
        : await supervisor.run(request, signal),
    ]);
    return recorded(run, startedAt, outcome, details);
  };
  const activityProbeOf = (at: number, observes: ActivityOrder['observes']) =>
    activityProbe(join(supervisor.directory, `activity-${at}`), observes);

  return {
    execute: (run, signal, probe) =>
      executeAlone(run, signal, probe ? [probe] : importedFilesProbes(run), probe && { kind: 'metrics' }),
    turns: (round) => {
      const cpu = turnsCpu(settings.cpuSet);
      if (cpu === undefined || !round.every(canTakeTurns)) return undefined;
      return {
        look: (run, signal, forRate = false) =>
          executeAlone(run, signal, [activityProbeOf(0, forRate ? 'clocks' : 'clocks and collections')]),
        async execute(runsOfRound, signal, way) {
          const startedAt = new Date().toISOString();
          const requests = runsOfRound.map((run, at) => {
            const probes = [
              turnsProbe,
              activityProbeOf(at, way === 'look' ? 'clocks' : 'CPU time'),
              ...importedFilesProbes(run),
            ];
            // Each has its own temporary directory in Node core's suite. The length is fixed.
            const thread = String(Number(ofLane['TEST_THREAD_ID'] ?? 0) * 100 + at + 1).padStart(6, '0');
            return requestOf(run, probes, { ...ofLane, TEST_THREAD_ID: thread }, cpu);
          });
          const slices = way === 'long slices' ? 'long' : 'short';
          const outcomes = await whileAwake(benchmark, warn, () =>
            supervisor.runInTurns(requests, signal, slices),
          );
          return runsOfRound.flatMap((run, at) => {
            const outcome = outcomes[at];
            const details = slices === 'short' ? ({ inTurns: true } as const) : {};
            return outcome === undefined ? [] : [recorded(run, startedAt, outcome, details)];
          });
        },
      };
    },
  };
}

/** At most this many runs are repeated because bench-cli was stopped during them. */
const MOST_REPEATS = 5;

/** Warns of open handles, and repeats runs whose time limits and turns a stop of bench-cli made invalid. */
async function whileAwake<Outcomes extends readonly CommandOutcome[]>(
  { name, file, scripts }: PlannedBenchmark,
  warn: (message: string) => Promise<void>,
  execute: () => Promise<Outcomes>,
): Promise<Outcomes> {
  for (let repeats = 0; ; repeats++) {
    const outcomes = await execute();
    const sleptMs = Math.max(...outcomes.map((outcome) => outcome.sleptMs));
    if (sleptMs === 0) {
      const [script] = scripts.values();
      const kept = outcomes.map(({ messages }) => script && keptOpenText(messages, script)).find(Boolean);
      if (kept !== undefined) await warn(`${file.name}: ${kept}`);
      return outcomes;
    }
    const what = `bench-cli did not run for about ${(sleptMs / 1000).toFixed(1)} s during a run of ${name}, because it was stopped or the machine stood still`;
    if (repeats === MOST_REPEATS) {
      const problem = `${what}, ${repeats + 1} times in a row: continue the session when nothing stops it`;
      throw new UsageError('ERR_BENCH_STOPPED', problem);
    }
    await warn(`${what}: the run is repeated`);
  }
}

const withoutResult = 'ended without a result; call bench.end(operations) or bench.report(rate, elapsedNs)';
const withSeveralResults = 'reported more than one result; a process must report exactly one';

type RunFields = Omit<RunRecord & { readonly status: 'failed' }, 'status' | 'failure' | 'durationMs'>;
type Report = Extract<CommandOutcome['messages'][number], { type: 'report' }>;

/** @param several whether it runs more than one configuration, so that its reports count if it fails later */
function recordsOf(
  { messages, failure, durationMs, cpuMs, exitCode, kept }: CommandOutcome,
  fields: RunFields,
  { results }: Script,
  several: boolean,
): RunRecords {
  const failed = (reason: Failure) => [{ ...fields, durationMs, status: 'failed', failure: reason }] as const;
  const reports =
    results === 'wall time'
      ? [wallTime(fields, durationMs, { ...cpuMs, ...(exitCode && { exitCode }) })]
      : messages.filter((message) => message.type === 'report');
  const [first, ...others] = reports;
  if (first === undefined) return failed(failure ?? failureOf('no result', withoutResult));
  if (results === 'one' && others.length > 0)
    return failed(failure ?? failureOf('no result', withSeveralResults));
  // A run that fails after its result counts as failed.
  if (others.length === 0 && failure !== undefined && !several) return failed(failure);
  const isKept = fields.round === 0 && fields.kind === 'rate' && results !== 'wall time';
  const output = isKept ? kept() : undefined;
  const isSingle = others.length === 0 && failure === undefined;
  const numbered = (result: number) =>
    isSingle ? fields : { ...fields, scheduled: fields.configuration, result };
  const recordOf = (report: Report, result: number) =>
    successOf(report, numbered(result), durationMs / reports.length);
  const failures = failure
    ? [{ ...numbered(reports.length), durationMs: 0, status: 'failed', failure } as const]
    : [];
  return [
    { ...recordOf(first, 0), ...(output?.output && { printed: output }) },
    ...others.map((report, at) => recordOf(report, at + 1)),
    ...failures,
  ];
}

/** A command is one operation. */
function wallTime(
  { benchmark: name, configuration: conf }: RunFields,
  durationMs: number,
  metrics: Readonly<Record<string, number>>,
): Report {
  const time = (durationMs / 1000).toFixed(9);
  return { type: 'report', name, conf, rate: 1000 / durationMs, time, metrics };
}

/** A reported configuration is recorded together with the scheduled one. */
function successOf(
  { type: _type, name: _name, conf, rate, metrics, reported, ...result }: Report,
  fields: RunFields,
  durationMs: number,
): SucceededRun {
  const { benchmark, configuration } = fields;
  const isOther = caseKey({ benchmark, configuration: conf }) !== caseKey({ benchmark, configuration });
  return {
    ...fields,
    ...(isOther && { configuration: conf, scheduled: configuration }),
    durationMs,
    status: 'ok',
    values: { ...mapped(reported ?? {}, ({ value }) => value), ...metrics, rate },
    ...(reported && { reported: mapped(reported, ({ value: _, ...description }) => description) }),
    ...result,
  };
}

function mapped<Value, Result>(record: Readonly<Record<string, Value>>, map: (value: Value) => Result) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}

export type RunningSession = Pick<OpenSession, 'emit' | 'recorded' | 'reported' | 'signal'> & {
  readonly sessionFiles: Pick<OpenSession['sessionFiles'], 'later'>;
};

/** Executes a run, unless it was executed before the session was interrupted, and emits its records. */
export async function executeRun(
  run: ScheduledRun,
  executor: Executor,
  open: RunningSession,
  probe?: MetricProbe,
): Promise<readonly RunRecord[]> {
  const former = open.recorded(probe ? 'metrics' : 'rate', run);
  if (former === undefined) await open.emit({ type: 'start', run });
  const observed = probe?.observed.get(caseKey(run));
  const measuring = probe && { ...probe, order: { ...probe.order, observed } };
  const records = former ?? (await executor.execute(run, open.signal, measuring));
  const [first] = records;
  if (observed === undefined && first?.status === 'ok' && first.observed !== undefined)
    probe?.observed.set(caseKey(run), first.observed);
  return emitRun(run, records, former !== undefined, open);
}

export async function emitRun(
  { subject }: ScheduledRun,
  records: readonly RunRecord[],
  resumed: boolean,
  { emit, sessionFiles, reported }: RunningSession,
): Promise<readonly RunRecord[]> {
  /** A run that describes a metric in another way than an earlier one fails. */
  const agreed = (record: RunRecord): RunRecord => {
    const problem = record.status === 'ok' ? reported.add(record) : undefined;
    if (problem === undefined) return record;
    return { ...record, status: 'failed', failure: failureOf('bad message', problem) };
  };
  const checked = resumed ? records : records.map(agreed);
  const files = resumed ? undefined : sessionFiles.later(subject);
  if (files !== undefined) await emit({ type: 'loaded', record: { type: 'loaded', subject, files } });
  for (const record of checked) await emit({ type: 'run', record, resumed });
  return checked;
}

/** Gets the records of a run before the next one is scheduled, and whether its case is given up now. */
export type Take = (records: readonly RunRecord[], isGivenUp: boolean) => void;

/** The session of runs, which cases it gives up, and what gets the records of each run. */
export interface RoundContext {
  readonly open: RunningSession;
  readonly givenUp: GivenUp;
  readonly take?: Take;
}

/** A failed run does not stop the others. @param runs what comes next can depend on the records so far */
export async function executeRuns(
  runs: Iterable<ScheduledRun>,
  executor: Executor,
  context: RoundContext,
  probe?: MetricProbe,
): Promise<void> {
  const { open, givenUp } = context;
  for (const run of runs) {
    if (givenUp.has(run, run.subject)) await open.emit({ type: 'skip', run });
    else await takeRun(run, await executeRun(run, executor, open, probe), context);
  }
}

export async function takeRun(
  run: ScheduledRun,
  records: readonly RunRecord[],
  { open, givenUp, take }: RoundContext,
): Promise<void> {
  const hasFailed = records.some(({ status }) => status === 'failed');
  const isGivenUp = givenUp.take(run, hasFailed);
  take?.(records, isGivenUp);
  if (isGivenUp) await open.emit({ type: 'give up', run });
}
