import type { BenchmarkFailure, SessionRequest } from '@bench-cli/results/recording';
import { ProcessExecutor } from './execution.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import type { Supervisor } from '../process/supervisor.ts';

/** A benchmark from its setup to its teardown, which is when its runs can be executed. */
export class Preparation {
  readonly benchmark: PlannedBenchmark;
  readonly executor: ProcessExecutor;
  readonly #subject: string;
  readonly #startedAtMs = performance.now();

  constructor(benchmark: PlannedBenchmark, { subjects, settings }: SessionRequest, supervisor: Supervisor) {
    this.benchmark = benchmark;
    this.executor = new ProcessExecutor(benchmark, subjects, settings, supervisor);
    this.#subject = subjects[0]?.name ?? '';
  }

  /** Executes the setup, if there is one. */
  async begin(signal: AbortSignal | undefined): Promise<BenchmarkFailure | undefined> {
    return this.benchmark.setup ? this.#prepare('setup', signal) : undefined;
  }

  /** Executes the teardown, if there is one; also after an abort: what setup made must not stay behind. */
  async end(): Promise<BenchmarkFailure | undefined> {
    return this.benchmark.teardown ? this.#prepare('teardown', undefined) : undefined;
  }

  /** Milliseconds since it was made. */
  get durationMs(): number {
    return performance.now() - this.#startedAtMs;
  }

  async #prepare(
    phase: 'setup' | 'teardown',
    signal: AbortSignal | undefined,
  ): Promise<BenchmarkFailure | undefined> {
    const failure = await this.executor.prepare(phase, signal);
    const { name: benchmark } = this.benchmark.file;
    return failure && { type: 'failure', benchmark, phase, subject: this.#subject, failure };
  }
}
