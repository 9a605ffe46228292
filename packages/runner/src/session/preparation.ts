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
import type { Supervisor } from '../process/supervisor.ts';
import { ProcessExecutor } from './execution.ts';

/** What all benchmarks of a session share. */
export interface SessionContext {
  readonly request: SessionRequest;
  /** The records of a run that was executed before the session was interrupted. */
  readonly recorded: (run: ScheduledRun) => readonly RunRecord[] | undefined;
  /** The same of a run that measured metrics. */
  readonly recordedMetrics: (run: ScheduledRun) => readonly MetricRun[] | undefined;
  /** The number of cases of the session, all shards together. */
  readonly size: number;
  /** The counts that were found before the session was interrupted. */
  readonly calibrations: readonly CalibrationRecord[];
  /** The versions of a bisection that were prepared before the session was interrupted. */
  readonly versions: readonly VersionRecord[];
  readonly supervisor: Supervisor;
  readonly signal: AbortSignal | undefined;
}

/** A benchmark between its setup and its teardown. Its runs can be executed meanwhile. */
export class Preparation {
  readonly benchmark: PlannedBenchmark;
  readonly executor: ProcessExecutor;
  readonly #subject: string;
  readonly #signal: AbortSignal | undefined;
  readonly #startedAtMs = performance.now();

  constructor(
    benchmark: PlannedBenchmark,
    {
      request: { subjects, settings },
      supervisor,
      signal,
    }: Pick<SessionContext, 'request' | 'supervisor' | 'signal'>,
  ) {
    this.benchmark = benchmark;
    this.executor = new ProcessExecutor(benchmark, subjects, settings, supervisor);
    this.#subject = [...benchmark.scripts.keys()][0] ?? '';
    this.#signal = signal;
  }

  /** Executes the setup, if there is one. */
  async begin(): Promise<BenchmarkFailure | undefined> {
    if (!this.benchmark.isHeld) return undefined;
    return this.#failureOf('setup', await this.executor.hold(this.#signal));
  }

  /** Executes the teardown, if there is one. An abort does not prevent it, because it removes what setup has created. */
  async end(): Promise<BenchmarkFailure | undefined> {
    return this.#failureOf('teardown', await this.executor.release());
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
