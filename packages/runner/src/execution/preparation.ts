import type { Failure } from '@bench-cli/results/recording';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type HeldScript, holdScript } from '../process/held-script.ts';
import { scriptProcess } from '../suite/script.ts';
import { processExecutor, sideOf } from './executor.ts';
import type { Lane } from './lane.ts';
import type { OpenSession } from './open-session.ts';

/** A benchmark between its setup and its teardown. Its runs can be executed meanwhile. */
export type Preparation = ReturnType<typeof prepare>;

function prepare(benchmark: PlannedBenchmark, open: OpenSession) {
  const { request, supervisor, lanes, signal } = open;
  const { subjects, settings } = request;
  let held: HeldScript | undefined;
  const warn = async (message: string) => {
    if (!open.warned.has(message)) await open.emit({ type: 'warning', message });
    open.warned.add(message);
  };
  const executorOn = (lane: Omit<Lane, 'index'>) =>
    processExecutor(benchmark, subjects, request, lane, () => held?.env ?? {}, warn);
  const executor = executorOn({ supervisor, cpus: undefined, env: {} });
  const executors = lanes.map(executorOn);
  /** The first subject that has the benchmark executes its setup and its teardown. */
  const [subject = ''] = benchmark.scripts.keys();
  const fail = (phase: 'setup' | 'teardown', failure: Failure) => {
    const record = { type: 'failure', benchmark: benchmark.name, phase, subject, failure } as const;
    return open.emit({ type: 'failure', record });
  };
  return {
    benchmark,
    executor,
    /** For its runs on the CPUs of a lane; `executor` is for a single lane. */
    executorOn: ({ index }: Lane) => executors[index] ?? executor,
    /** Executes the setup, if there is one. @returns false if it fails */
    async begin(): Promise<boolean> {
      if (!benchmark.isHeld) return true;
      const side = sideOf(benchmark, subjects, subject);
      const setup = scriptProcess('setup', side.script, side.subject, settings);
      const answer = await holdScript(setup, supervisor, signal);
      if ('release' in answer) held = answer;
      else await fail('setup', answer);
      return held !== undefined;
    },
    /** Executes the teardown, if there is one, even after an abort: it removes what setup has created. */
    async end(): Promise<void> {
      const failure = await held?.release();
      if (failure !== undefined) await fail('teardown', failure);
    },
  };
}

/** Works between the setups and the teardowns of benchmarks, without those whose setup fails. */
export async function executeBenchmarks(
  planned: readonly PlannedBenchmark[],
  open: OpenSession,
  work: (prepared: readonly Preparation[]) => Promise<void>,
  haveTime = true,
): Promise<void> {
  const startedAtMs = performance.now();
  for (const { name } of planned) await open.emit({ type: 'benchmark start', benchmark: name });
  const prepared: Preparation[] = [];
  try {
    for (const benchmark of planned) {
      const preparation = prepare(benchmark, open);
      if (await preparation.begin()) prepared.push(preparation);
    }
    await work(prepared);
  } finally {
    for (const preparation of prepared) await preparation.end();
  }
  const durationMs = performance.now() - startedAtMs;
  if (haveTime)
    for (const { benchmark } of prepared)
      await open.emit({ type: 'benchmark end', benchmark: benchmark.name, durationMs });
}
