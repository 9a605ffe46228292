import type { BenchmarkFailure, Failure } from '@bench-cli/results/recording';
import type { PlannedBenchmark } from '../plan/plan.ts';
import type { HeldScript } from '../process/held-script.ts';
import { ProcessExecutor } from './executor.ts';
import type { Lane } from './lane.ts';
import type { OpenSession } from './open-session.ts';

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
  readonly #signal: AbortSignal;
  #held: HeldScript | undefined;

  constructor(benchmark: PlannedBenchmark, { request, supervisor, lanes, signal }: OpenSession) {
    this.benchmark = benchmark;
    const here = { supervisor, cpus: undefined, env: {} };
    this.executor = new ProcessExecutor(benchmark, request.subjects, request, here);
    this.#onLanes = lanes.map((lane) => ({
      benchmark,
      executor: new ProcessExecutor(benchmark, request.subjects, request, lane),
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
    if (!('release' in held)) return this.#failureOf('setup', held);
    this.#held = held;
    for (const { executor } of [this, ...this.#onLanes]) executor.setEnv(held.env);
    return undefined;
  }

  /** Executes the teardown, if there is one. An abort does not prevent it, because it removes what setup has created. */
  async end(): Promise<BenchmarkFailure | undefined> {
    return this.#failureOf('teardown', await this.#held?.release());
  }

  #failureOf(phase: 'setup' | 'teardown', failure: Failure | undefined): BenchmarkFailure | undefined {
    const { name: benchmark } = this.benchmark;
    return failure && { type: 'failure', benchmark, phase, subject: this.#subject, failure };
  }
}

/** Executes a benchmark: works between its setup and its teardown. */
export async function executeBenchmark(
  planned: PlannedBenchmark,
  open: OpenSession,
  work: (preparation: Preparation) => Promise<void>,
): Promise<void> {
  const { name: benchmark } = planned;
  const startedAtMs = performance.now();
  await open.emit({ type: 'benchmark start', benchmark });
  const failure = await whilePrepared(planned, open, work);
  if (failure !== undefined) return open.emit({ type: 'failure', record: failure });
  await open.emit({ type: 'benchmark end', benchmark, durationMs: performance.now() - startedAtMs });
}

/**
 * Works between the setup and the teardown of a benchmark.
 * @returns the failure of the setup
 */
export async function whilePrepared(
  benchmark: PlannedBenchmark,
  open: OpenSession,
  work: (preparation: Preparation) => Promise<void>,
): Promise<BenchmarkFailure | undefined> {
  const preparation = new Preparation(benchmark, open);
  const failure = await preparation.begin();
  if (failure !== undefined) return failure;
  try {
    await work(preparation);
  } finally {
    const record = await preparation.end();
    if (record !== undefined) await open.emit({ type: 'failure', record });
  }
  return undefined;
}
