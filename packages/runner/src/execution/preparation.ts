import type { BenchmarkFailure, Failure } from '@bench-cli/results/recording';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type HeldScript, holdScript } from '../process/held-script.ts';
import { scriptProcess } from '../suite/script.ts';
import { type Executor, processExecutor, sideOf } from './executor.ts';
import type { Lane } from './lane.ts';
import type { OpenSession } from './open-session.ts';

export interface Runnable {
  readonly benchmark: PlannedBenchmark;
  readonly executor: Executor;
}

/** A benchmark between its setup and its teardown. Its runs can be executed meanwhile. */
export type Preparation = ReturnType<typeof prepare>;

export function prepare(benchmark: PlannedBenchmark, open: OpenSession) {
  const { request, supervisor, lanes, signal } = open;
  const { subjects, settings } = request;
  let held: HeldScript | undefined;
  const onLane = (lane: Omit<Lane, 'index'>): Runnable => ({
    benchmark,
    executor: processExecutor(benchmark, subjects, request, lane, () => held?.env ?? {}),
  });
  const here = onLane({ supervisor, cpus: undefined, env: {} });
  const onLanes = lanes.map(onLane);
  /** The first subject that has the benchmark executes its setup and its teardown. */
  const [subject = ''] = benchmark.scripts.keys();
  const failureOf = (phase: 'setup' | 'teardown', failure: Failure | undefined) =>
    failure && ({ type: 'failure', benchmark: benchmark.name, phase, subject, failure } as const);
  return {
    ...here,
    /** Its runs on the CPUs of a lane; `executor` is for a single lane. */
    on: ({ index }: Lane) => onLanes[index] ?? here,
    /** Executes the setup, if there is one. */
    async begin() {
      if (!benchmark.isHeld) return undefined;
      const side = sideOf(benchmark, subjects, subject);
      const setup = scriptProcess('setup', side.script, side.subject, settings);
      const answer = await holdScript(setup, supervisor, signal);
      if (!('release' in answer)) return failureOf('setup', answer);
      held = answer;
      return undefined;
    },
    /** Executes the teardown, if there is one. An abort does not prevent it, because it removes what setup has created. */
    end: async () => failureOf('teardown', await held?.release()),
  };
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
  const preparation = prepare(benchmark, open);
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
