import type { Case } from '@bench-cli/results';
import type {
  BenchmarkFailure,
  CalibrationRecord,
  Failure,
  MetricRun,
  RunRecord,
  SessionRequest,
  VersionRecord,
} from '@bench-cli/results/recording';
import type { PlannedBenchmark } from '../plan/plan.ts';
import type { ScheduledRun } from '../plan/schedule.ts';
import { HeldScript } from '../process/held-script.ts';
import type { Supervisor } from '../process/supervisor.ts';
import { ProcessExecutor } from './execution.ts';
import type { Lane } from './lane.ts';

/** What all benchmarks of a session share. */
export interface SessionContext {
  readonly request: SessionRequest;
  /** The records of a run that was executed before the session was interrupted. */
  readonly recorded: (run: ScheduledRun) => readonly RunRecord[] | undefined;
  /** The same of a run that measured metrics. */
  readonly recordedMetrics: (run: ScheduledRun) => readonly MetricRun[] | undefined;
  /** The same of a run that measured start-up. */
  readonly recordedStartUp: (run: ScheduledRun) => readonly MetricRun[] | undefined;
  /** The number of cases of the session, all shards together. */
  readonly size: number;
  /** The counts that were found before the session was interrupted. */
  readonly calibrations: readonly CalibrationRecord[];
  /** The versions of a bisection that were prepared before the session was interrupted. */
  readonly versions: readonly VersionRecord[];
  readonly supervisor: Supervisor;
  /** Where runs are executed at the same time; usually one. */
  readonly lanes: readonly Lane[];
  /** The index of the lane of a case before the session was interrupted. */
  readonly formerLane: (each: Case) => number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** A benchmark whose runs can be executed. */
export interface Runnable {
  readonly benchmark: PlannedBenchmark;
  readonly executor: ProcessExecutor;
}

/** A benchmark between its setup and its teardown. Its runs can be executed meanwhile. */
export class Preparation implements Runnable {
  readonly benchmark: PlannedBenchmark;
  /** For a single lane. */
  readonly executor: ProcessExecutor;
  readonly #onLanes: readonly Runnable[];
  readonly #subject: string;
  readonly #signal: AbortSignal | undefined;
  readonly #startedAtMs = performance.now();
  #held: HeldScript | undefined;

  constructor(
    benchmark: PlannedBenchmark,
    {
      request: { subjects, settings },
      supervisor,
      lanes = [],
      signal,
    }: Pick<SessionContext, 'request' | 'supervisor' | 'signal'> & Partial<Pick<SessionContext, 'lanes'>>,
  ) {
    this.benchmark = benchmark;
    const here = { supervisor, cpus: undefined, env: {} };
    this.executor = new ProcessExecutor(benchmark, subjects, settings, here);
    this.#onLanes = lanes.map((lane) => ({
      benchmark,
      executor: new ProcessExecutor(benchmark, subjects, settings, lane),
    }));
    this.#subject = [...benchmark.scripts.keys()][0] ?? '';
    this.#signal = signal;
  }

  /** Its runs on the CPUs of a lane. */
  on({ index }: Lane): Runnable {
    return this.#onLanes[index] ?? this;
  }

  /** Executes the setup, if there is one. */
  async begin(): Promise<BenchmarkFailure | undefined> {
    if (!this.benchmark.isHeld) return undefined;
    const held = await this.executor.hold(this.#signal);
    if (!(held instanceof HeldScript)) return this.#failureOf('setup', held);
    this.#held = held;
    for (const { executor } of [this, ...this.#onLanes]) executor.setEnv(held.env);
    return undefined;
  }

  /** Executes the teardown, if there is one. An abort does not prevent it, because it removes what setup has created. */
  async end(): Promise<BenchmarkFailure | undefined> {
    return this.#failureOf('teardown', await this.#held?.release());
  }

  /** Milliseconds since it was created. */
  get durationMs(): number {
    return performance.now() - this.#startedAtMs;
  }

  #failureOf(phase: 'setup' | 'teardown', failure: Failure | undefined): BenchmarkFailure | undefined {
    const { name: benchmark } = this.benchmark;
    return failure && { type: 'failure', benchmark, phase, subject: this.#subject, failure };
  }
}
