import type { Failure } from './failure.ts';
import type { PlannedBenchmark } from './plan.ts';
import type { FailedRun, RunRecord, SucceededRun } from './record.ts';
import type { ScheduledRun } from './schedule.ts';
import { type ScriptSettings, scriptProcess } from './script.ts';
import type { Subject } from './subject.ts';
import type { ProcessOutcome, Supervisor } from './supervisor.ts';

/** Executes one run. The scheduling knows no more of processes than this. */
export interface Executor {
  /** @throws the reason of `signal` when that aborts; a run that fails is no error but a result */
  execute(run: ScheduledRun, signal?: AbortSignal): Promise<RunOutcome>;
}

/** The result of a run, without what its schedule says of it. */
export type RunOutcome =
  | Pick<SucceededRun, 'status' | 'rate' | 'time' | 'usage' | 'latency' | 'load' | 'durationMs'>
  | Pick<FailedRun, 'status' | 'failure' | 'durationMs'>;

/** Executes the runs of one benchmark in real processes. */
export class ProcessExecutor implements Executor {
  readonly #benchmark: PlannedBenchmark;
  readonly #subjects: ReadonlyMap<string, Subject>;
  readonly #settings: ScriptSettings;
  readonly #supervisor: Supervisor;

  constructor(
    benchmark: PlannedBenchmark,
    subjects: readonly Subject[],
    settings: ScriptSettings,
    supervisor: Supervisor,
  ) {
    this.#benchmark = benchmark;
    this.#subjects = new Map(subjects.map((subject) => [subject.name, subject]));
    this.#settings = settings;
    this.#supervisor = supervisor;
  }

  async execute(run: ScheduledRun, signal?: AbortSignal): Promise<RunOutcome> {
    const request = this.#process(run.configuration, run.subject);
    if ('kind' in request) return { status: 'failed', failure: request, durationMs: 0 };
    return outcomeOf(await this.#supervisor.run(request, signal));
  }

  /** Runs the script's `setup` or `teardown`, under the first subject. */
  async prepare(phase: 'setup' | 'teardown', signal?: AbortSignal): Promise<Failure | undefined> {
    const [first] = this.#subjects.keys();
    const request = this.#process(phase, first ?? '');
    return 'kind' in request ? request : (await this.#supervisor.run(request, signal)).failure;
  }

  #process(purpose: Parameters<typeof scriptProcess>[0], subjectName: string) {
    const subject = this.#subjects.get(subjectName);
    const script = this.#benchmark.scripts.get(subjectName);
    if (subject === undefined || script === undefined)
      throw new RangeError(`there is no subject ${subjectName}`);
    return scriptProcess(purpose, script, subject, this.#settings);
  }
}

function outcomeOf({ messages, failure, durationMs }: ProcessOutcome): RunOutcome {
  if (failure) return { status: 'failed', failure, durationMs };
  const [report, another] = messages.filter((message) => message.type === 'report');
  const failed = (message: string): RunOutcome => ({
    status: 'failed',
    failure: { kind: 'no result', message, output: '' },
    durationMs,
  });
  if (report === undefined) {
    return failed(
      'main finished without a result; call bench.end(operations) or bench.report(rate, elapsed)',
    );
  }
  if (another !== undefined) return failed('reported more than one result; a process gives one');
  const { rate, time, usage, latency, load } = report;
  return {
    status: 'ok',
    rate,
    time,
    durationMs,
    ...(usage && { usage }),
    ...(latency && { latency }),
    ...(load && { load }),
  };
}

/** Runs in a row that may fail under one subject before the rest of a configuration is given up. */
const tolerance = 2;

/** What becomes of a scheduled run: its record, or word that it and those like it are given up. */
export type Execution =
  | { readonly type: 'start'; readonly run: ScheduledRun }
  | {
      readonly type: 'run';
      readonly record: RunRecord;
      /** It was taken from a former part of the session, and not executed now. */
      readonly resumed: boolean;
    }
  /** The configuration of this run has failed too often; its later runs are skipped. */
  | { readonly type: 'give up'; readonly run: ScheduledRun }
  | { readonly type: 'skip'; readonly run: ScheduledRun };

/**
 * Executes runs one after the other. A failed run does not stop the others; but a configuration that fails twice in a
 * row under one subject is given up, under all subjects.
 * @param recorded gives the record of a run that was executed before
 * @param now the time of day
 */
export async function* executeRuns(
  runs: Iterable<ScheduledRun>,
  executor: Executor,
  recorded: (run: ScheduledRun) => RunRecord | undefined,
  keyOf: (run: ScheduledRun) => string,
  signal?: AbortSignal,
  now: () => Date = () => new Date(),
): AsyncGenerator<Execution> {
  const failuresInARow = new Map<string, number>();
  const givenUp = new Set<string>();
  for (const run of runs) {
    const key = keyOf(run);
    if (givenUp.has(key)) {
      yield { type: 'skip', run };
      continue;
    }
    const former = recorded(run);
    if (former === undefined) yield { type: 'start', run };
    const startedAt = now().toISOString();
    const record = former ?? { type: 'run', ...run, startedAt, ...(await executor.execute(run, signal)) };
    yield { type: 'run', record, resumed: former !== undefined };
    const side = `${run.subject} ${key}`;
    const failures = record.status === 'failed' ? (failuresInARow.get(side) ?? 0) + 1 : 0;
    failuresInARow.set(side, failures);
    if (failures < tolerance) continue;
    givenUp.add(key);
    yield { type: 'give up', run };
  }
}
