import { join } from 'node:path';
import { caseKey, type ReportedMetrics, UsageError } from '@bench-cli/results';
import type { Failure, RunRecord, SessionRequest, SucceededRun } from '@bench-cli/results/recording';
import type { PlacedSubject } from '@bench-cli/subjects';
import { checkConcurrent } from '../machine/jobs.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import type { ScheduledRun } from '../plan/schedule.ts';
import { failureOf, type ProcessRequest } from '../process/supervisor.ts';
import { turnsCpu } from '../process/turns.ts';
import { type CommandOutcome, runWholeCommand } from '../suite/command.ts';
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
   * @throws the reason of `signal` if it aborts, or a UsageError for a run that disturbs those of other lanes; a failed run is a record,
   * not an error
   */
  execute(run: ScheduledRun, signal: AbortSignal, probe?: RequiredProbe): Promise<RunRecords>;
  /** How the runs of a round take turns; undefined if their processes cannot. */
  turns?(round: readonly ScheduledRun[]): TurnsExecutor | undefined;
}

/** The records of each result that a process reported, usually one. */
export type RunRecords = readonly [RunRecord, ...RunRecord[]];

/** Executes runs of a round in turns, with errors as those of `Executor`. */
export interface TurnsExecutor {
  /** Executes a run without turns, and records how its process spent its time. */
  look(run: ScheduledRun, signal: AbortSignal): Promise<RunRecords>;
  execute(round: readonly ScheduledRun[], signal: AbortSignal): Promise<readonly RunRecords[]>;
}

/** The script of a benchmark as a subject executes it. */
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
 * @param warn gets a warning before runs are repeated
 */
export function processExecutor(
  benchmark: PlannedBenchmark,
  subjects: readonly PlacedSubject[],
  { settings: given, runs }: Pick<SessionRequest, 'settings' | 'runs'>,
  { supervisor, cpus, env: ofLane }: Omit<Lane, 'index'>,
  variables: () => NodeJS.ProcessEnv = () => ({}),
  warn: (message: string) => Promise<void> = async () => {},
): Executor {
  const settings = cpus === undefined ? given : { ...given, cpuSet: cpus };
  /** The cases, with their subjects, of which the loaded files are known. */
  const asked = new Set<string>();

  /**
   * The first run of each case tells which files it loads, because a benchmark can import some when it runs. That takes time, so if
   * no case is run again, only the first one tells.
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
    return { ...request, order, env: { ...request.env, ...env, ...variables() } };
  };

  const recorded = (
    { order: _order, ...run }: ScheduledRun,
    startedAt: string,
    outcome: CommandOutcome,
    details: Partial<Pick<RunFields, 'kind' | 'inTurns' | 'activity'>> = {},
  ) => {
    const { script } = sideOf(benchmark, subjects, run.subject);
    const onCpus = cpus !== undefined && { cpus };
    const fields = { type: 'run', kind: 'rate', ...run, startedAt, ...onCpus, ...details } as const;
    const records = recordsOf(outcome, fields, script, benchmark.unplanned !== undefined);
    if (cpus !== undefined) checkConcurrent(records);
    return records;
  };

  const canTakeTurns = ({ subject: name }: ScheduledRun): boolean => {
    const { script, subject } = sideOf(benchmark, subjects, name);
    const isMeasured = script.results !== 'wall time' && benchmark.unplanned === undefined && !settings.test;
    return isMeasured && stopsClocks(subject, script.flags);
  };

  return {
    async execute(run, signal, probe) {
      const startedAt = new Date().toISOString();
      const probes = probe ? [probe] : importedFilesProbes(run);
      const request = requestOf(run, probes);
      const isCommand = sideOf(benchmark, subjects, run.subject).script.results === 'wall time';
      const [outcome] = await whileAwake(benchmark.name, warn, async () => [
        isCommand
          ? await runWholeCommand(request, run.configuration, settings, supervisor, signal)
          : await supervisor.run(request, signal),
      ]);
      return recorded(run, startedAt, outcome, probe && { kind: 'metrics' });
    },

    turns: (round) => {
      const cpu = turnsCpu(settings.cpuSet);
      if (cpu === undefined || !round.every(canTakeTurns)) return undefined;
      return {
        async look(run, signal) {
          const startedAt = new Date().toISOString();
          const request = requestOf(run, [activityProbe(join(supervisor.directory, 'activity'))]);
          const [outcome] = await whileAwake(benchmark.name, warn, async () => [
            await supervisor.run(request, signal),
          ]);
          return recorded(run, startedAt, outcome, { activity: outcome.activity });
        },
        async execute(runsOfRound, signal) {
          const startedAt = new Date().toISOString();
          const requests = runsOfRound.map((run, at) =>
            requestOf(run, [turnsProbe, ...importedFilesProbes(run)], threadOf(ofLane, at), cpu),
          );
          const outcomes = await whileAwake(benchmark.name, warn, () =>
            supervisor.runInTurns(requests, signal),
          );
          return runsOfRound.flatMap((run, at) => {
            const outcome = outcomes[at];
            return outcome === undefined ? [] : [recorded(run, startedAt, outcome, { inTurns: true })];
          });
        },
      };
    },
  };
}

/** So many runs in which this process did not run all the time are repeated. */
const MOST_REPEATS = 5;

/** Repeats runs while which this process did not run: they had not the time limit and the turns that they should have, or ran in others' time. */
async function whileAwake<Outcomes extends readonly CommandOutcome[]>(
  name: string,
  warn: (message: string) => Promise<void>,
  execute: () => Promise<Outcomes>,
): Promise<Outcomes> {
  for (let repeats = 0; ; repeats++) {
    const outcomes = await execute();
    const sleptMs = Math.max(...outcomes.map((outcome) => outcome.sleptMs));
    if (sleptMs === 0) return outcomes;
    const what = `bench-cli did not run for about ${(sleptMs / 1000).toFixed(1)} s during a run of ${name}, because it was stopped or the machine stood still`;
    if (repeats === MOST_REPEATS)
      throw new UsageError(
        'ERR_BENCH_STOPPED',
        `${what}, ${repeats + 1} times in a row: continue the session when nothing stops it`,
      );
    await warn(`${what}: the run is repeated`);
  }
}

/** Processes that live at the same time have temporary directories of their own in Node core's suite. The length is fixed. */
function threadOf(ofLane: Readonly<Record<string, string>>, at: number): Readonly<Record<string, string>> {
  const thread = Number(ofLane['TEST_THREAD_ID'] ?? 0) * 100 + at + 1;
  return { ...ofLane, TEST_THREAD_ID: String(thread).padStart(6, '0') };
}

type RunFields = Omit<RunRecord & { readonly status: 'failed' }, 'status' | 'failure' | 'durationMs'>;
type Report = Extract<CommandOutcome['messages'][number], { type: 'report' }>;

/**
 * The records of one process: of its result, or of each one with the configuration that it names.
 * @param several whether the process has more than one configuration to run, so that its reports count if it fails later
 */
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
  if (first === undefined) return failed(failure ?? withoutResult);
  if (results === 'one' && others.length > 0) return failed(failure ?? withSeveralResults);
  const isKept = fields.round === 0 && fields.kind === 'rate' && results !== 'wall time';
  const output = isKept ? kept() : undefined;
  const printed = output?.output ? { printed: output } : {};
  if (others.length === 0) {
    if (failure === undefined) return [{ ...successOf(first, fields, durationMs), ...printed }];
    // A run that fails after its result counts as failed.
    if (!several) return failed(failure);
  }
  const numbered = (result: number) => ({ ...fields, scheduled: fields.configuration, result });
  const recordOf = (report: Report, result: number) =>
    successOf(report, numbered(result), durationMs / reports.length);
  const failures = failure
    ? [{ ...numbered(reports.length), durationMs: 0, status: 'failed', failure } as const]
    : [];
  return [
    { ...recordOf(first, 0), ...printed },
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

const withoutResult = failureOf(
  'no result',
  'ended without a result; call bench.end(operations) or bench.report(rate, elapsedNs)',
);
const withSeveralResults = failureOf(
  'no result',
  'reported more than one result; a process must report exactly one',
);

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

/** A run that describes a metric in another way than an earlier one fails. */
function agreed(record: RunRecord, reported: ReportedMetrics): RunRecord {
  const problem = record.status === 'ok' ? reported.add(record) : undefined;
  return problem === undefined
    ? record
    : { ...record, status: 'failed', failure: failureOf('bad message', problem) };
}

export type RunningSession = Pick<OpenSession, 'emit' | 'recorded' | 'reported' | 'signal'> & {
  readonly sessionFiles: Pick<OpenSession['sessionFiles'], 'later'>;
};

/**
 * Executes a run, unless it was executed before the session was interrupted.
 * @returns its records, which were emitted
 */
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

/** Emits the records of a run. @param resumed whether it was executed before the session was interrupted */
export async function emitRun(
  { subject }: ScheduledRun,
  records: readonly RunRecord[],
  resumed: boolean,
  { emit, sessionFiles, reported }: RunningSession,
): Promise<readonly RunRecord[]> {
  const checked = resumed ? records : records.map((each) => agreed(each, reported));
  const files = resumed ? undefined : sessionFiles.later(subject);
  if (files !== undefined) await emit({ type: 'loaded', record: { type: 'loaded', subject, files } });
  for (const record of checked) await emit({ type: 'run', record, resumed });
  return checked;
}

/** Gets the records of a run before the next one is scheduled, and whether its case is given up now. */
export type Take = (records: readonly RunRecord[], isGivenUp: boolean) => void;

/**
 * Executes runs one after the other. A failed run does not stop the others, but a configuration that fails twice in a row
 * under one subject is given up.
 * @param runs what comes next can depend on the records so far
 */
export async function executeRuns(
  runs: Iterable<ScheduledRun>,
  executor: Executor,
  givenUp: GivenUp,
  open: RunningSession,
  take?: Take,
  probe?: MetricProbe,
): Promise<void> {
  for (const run of runs) {
    if (givenUp.has(run, run.subject)) {
      await open.emit({ type: 'skip', run });
      continue;
    }
    await takeRun(run, await executeRun(run, executor, open, probe), givenUp, open, take);
  }
}

/** Takes the records of a run that counts. */
export async function takeRun(
  run: ScheduledRun,
  records: readonly RunRecord[],
  givenUp: GivenUp,
  { emit }: Pick<RunningSession, 'emit'>,
  take?: Take,
): Promise<void> {
  const isGivenUp = givenUp.take(
    run,
    records.some(({ status }) => status === 'failed'),
  );
  take?.(records, isGivenUp);
  if (isGivenUp) await emit({ type: 'give up', run });
}
