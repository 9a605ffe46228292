import { type Configuration, caseKey } from '@bench-cli/results';
import type {
  FailedRun,
  Failure,
  MetricRun,
  RunRecord,
  SessionSettings,
  Subject,
  SucceededRun,
} from '@bench-cli/results/recording';
import type { LoadedProbe } from '../metric/loaded-probe.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import type { ScheduledRun } from '../plan/schedule.ts';
import { HeldScript } from '../process/held-script.ts';
import type { ReceivedMessage } from '../process/messages.ts';
import type { ProcessOutcome, Supervisor } from '../process/supervisor.ts';
import { type Purpose, type Script, scriptProcess } from '../suite/script.ts';
import type { FailureCount } from './given-up.ts';
import type { Lane } from './lane.ts';
import type { Execution } from './session-event.ts';

/** Executes one run. Scheduling depends only on this interface, not on processes. */
export interface Executor {
  /** @throws the reason of `signal` if it aborts; a failed run is a result, not an error */
  execute(run: ScheduledRun, signal?: AbortSignal): Promise<RunOutcome>;
}

/** The result of a run, without its schedule. */
export type RunOutcome = SingleOutcome & {
  /** Further results of the same process. */
  readonly further?: readonly SingleOutcome[];
};

type SingleOutcome = (
  | Pick<
      SucceededRun,
      'status' | 'rate' | 'time' | 'usage' | 'latency' | 'warmUp' | 'load' | 'clockStepNs' | 'durationMs'
    >
  | Pick<FailedRun, 'status' | 'failure' | 'durationMs'>
) & {
  /** The CPUs of the job, if there are several. */
  readonly cpus?: string;
  /** The configuration that the script reported, if it differs from the scheduled one. */
  readonly reported?: Configuration;
};

/** Executes the runs of one benchmark in real processes. */
export class ProcessExecutor implements Executor {
  readonly #benchmark: PlannedBenchmark;
  readonly #subjects: ReadonlyMap<string, Subject>;
  readonly #settings: SessionSettings;
  readonly #supervisor: Supervisor;
  readonly #cpus: string | undefined;
  #env: Readonly<Record<string, string>> = {};

  /** @param lane where the processes run; the CPUs of a job take the place of those of the settings */
  constructor(
    benchmark: PlannedBenchmark,
    subjects: readonly Subject[],
    settings: SessionSettings,
    { supervisor, cpus, env }: Omit<Lane, 'index'>,
  ) {
    this.#benchmark = benchmark;
    this.#subjects = new Map(
      subjects.map((subject) => [subject.name, { ...subject, env: { ...subject.env, ...env } }]),
    );
    this.#settings = cpus === undefined ? settings : { ...settings, cpuSet: cpus };
    this.#supervisor = supervisor;
    this.#cpus = cpus;
  }

  async execute(run: ScheduledRun, signal?: AbortSignal): Promise<RunOutcome> {
    const script = this.#script(run.subject);
    const request = this.#process(script, run.configuration, run.subject);
    const ended = await this.#supervisor.run(request, signal);
    const outcome =
      script.results === 'one'
        ? outcomeOf(ended, run)
        : outcomesOf(ended, run, this.#benchmark.unplanned !== undefined);
    return this.#cpus === undefined ? outcome : onCpus(outcome, this.#cpus);
  }

  /** Executes one run whose process loads a probe. A process can report several configurations. */
  async observe(run: ScheduledRun, probe: LoadedProbe, signal?: AbortSignal): Promise<readonly MetricRun[]> {
    const startedAt = new Date().toISOString();
    const request = this.#process(this.#script(run.subject), run.configuration, run.subject, probe);
    const { messages, failure, durationMs } = await this.#supervisor.run(request, signal);
    const fields = {
      type: 'metrics',
      ...run,
      startedAt,
      durationMs,
      ...(this.#cpus !== undefined && { cpus: this.#cpus }),
    } as const;
    const reports = messages.filter((message) => message.type === 'report');
    if (failure !== undefined || reports.length === 0) {
      return [{ ...fields, status: 'failed', failure: failure ?? withoutResult }];
    }
    return reports.map(({ conf, metrics: values = {} }) => ({
      ...fields,
      ...(isOther(conf, run) && { configuration: conf, scheduled: run.configuration }),
      status: 'ok',
      values,
    }));
  }

  /** Executes the script's setup under the first subject that has it. Its process waits until it is released. */
  hold(signal?: AbortSignal): Promise<HeldScript | Failure> {
    const [first = ''] = this.#benchmark.scripts.keys();
    return HeldScript.start(this.#process(this.#script(first), 'setup', first), this.#supervisor, signal);
  }

  /** Sets the variables that a setup has for the runs. */
  setEnv(env: Readonly<Record<string, string>>): void {
    this.#env = env;
  }

  #script(subjectName: string): Script {
    const script = this.#benchmark.scripts.get(subjectName);
    if (script === undefined) throw new RangeError(`unknown subject ${subjectName}`);
    return script;
  }

  #process(script: Script, purpose: Purpose, subjectName: string, probe?: LoadedProbe) {
    const subject = this.#subjects.get(subjectName);
    if (subject === undefined) throw new RangeError(`unknown subject ${subjectName}`);
    const request = scriptProcess(purpose, script, subject, this.#settings, probe);
    return { ...request, env: { ...request.env, ...this.#env } };
  }
}

function onCpus({ further, ...first }: RunOutcome, cpus: string): RunOutcome {
  return { ...first, cpus, ...(further && { further: further.map((each) => ({ ...each, cpus })) }) };
}

type Report = Extract<ReceivedMessage, { type: 'report' }>;

function outcomeOf({ messages, failure, durationMs }: ProcessOutcome, run: ScheduledRun): RunOutcome {
  if (failure) return { status: 'failed', failure, durationMs };
  const [report, another] = messages.filter((message) => message.type === 'report');
  if (report === undefined) return { status: 'failed', failure: withoutResult, durationMs };
  if (another !== undefined) {
    const message = 'reported more than one result; a process must report exactly one';
    return { status: 'failed', failure: { kind: 'no result', message, output: '' }, durationMs };
  }
  return successOf(report, run, durationMs);
}

/**
 * Makes every report a result with the configuration that it names.
 * @param several whether the process has more than one configuration to run, so that its reports count if it fails later
 */
function outcomesOf(
  { messages, failure, durationMs }: ProcessOutcome,
  run: ScheduledRun,
  several: boolean,
): RunOutcome {
  const reports = messages.filter((message) => message.type === 'report');
  const results: SingleOutcome[] = reports.map((report) =>
    successOf(report, run, durationMs / reports.length),
  );
  // A run that fails after its result counts as failed.
  if (failure && results.length === 1 && !several) results.pop();
  if (failure) results.push({ status: 'failed', failure, durationMs: results.length === 0 ? durationMs : 0 });
  const [first, ...further] = results;
  if (first === undefined) return { status: 'failed', failure: withoutResult, durationMs };
  return further.length === 0 ? first : { ...first, further };
}

const withoutResult: Failure = {
  kind: 'no result',
  message: 'ended without a result; call bench.end(operations) or bench.report(rate, elapsedNs)',
  output: '',
};

/** Whether a script reported another configuration than the one that its process was started for. */
function isOther(configuration: Configuration, run: ScheduledRun): boolean {
  return caseKey({ benchmark: run.benchmark, configuration }) !== caseKey(run);
}

function successOf(
  { conf, rate, time, usage, latency, warmUp, load, clockStepNs }: Report,
  run: ScheduledRun,
  durationMs: number,
): SingleOutcome {
  return {
    ...(isOther(conf, run) && { reported: conf }),
    status: 'ok',
    rate,
    time,
    durationMs,
    ...(usage && { usage }),
    ...(latency && { latency }),
    ...(warmUp && { warmUp }),
    ...(load && { load }),
    ...(clockStepNs !== undefined && { clockStepNs }),
  };
}

/**
 * Executes runs one after the other. A failed run does not stop the others, but a configuration that fails twice in a row
 * under one subject is given up.
 * @param recorded the records of a run that was executed before the session was interrupted
 */
export async function* executeRuns(
  runs: Iterable<ScheduledRun>,
  executor: Executor,
  givenUp: FailureCount,
  recorded: (run: ScheduledRun) => readonly RunRecord[] | undefined,
  signal?: AbortSignal,
  now: () => Date = () => new Date(),
): AsyncGenerator<Execution> {
  for (const run of runs) {
    if (givenUp.has(run, run.subject)) {
      yield { type: 'skip', run };
      continue;
    }
    const former = recorded(run);
    if (former === undefined) yield { type: 'start', run };
    const startedAt = now().toISOString();
    const records = former ?? recordsOf(run, startedAt, await executor.execute(run, signal));
    for (const record of records) yield { type: 'run', record, resumed: former !== undefined };
    const failed = records.some(({ status }) => status === 'failed');
    if (givenUp.take(run, failed)) yield { type: 'give up', run };
  }
}

/** The records of one process. A reported configuration is recorded together with the scheduled one. */
function recordsOf(
  run: ScheduledRun,
  startedAt: string,
  { further = [], ...first }: RunOutcome,
): readonly RunRecord[] {
  return [first, ...further].map(({ reported, ...outcome }) => {
    const differs = reported !== undefined || further.length > 0;
    return {
      type: 'run',
      ...run,
      ...(reported !== undefined && { configuration: reported }),
      ...(differs && { scheduled: run.configuration }),
      startedAt,
      ...outcome,
    };
  });
}
