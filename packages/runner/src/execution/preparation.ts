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
  const failureOf = (phase: 'setup' | 'teardown', failure: Failure | undefined) =>
    failure && ({ type: 'failure', benchmark: benchmark.name, phase, subject, failure } as const);
  return {
    benchmark,
    executor,
    /** For its runs on the CPUs of a lane; `executor` is for a single lane. */
    executorOn: ({ index }: Lane) => executors[index] ?? executor,
    async begin() {
      if (!benchmark.isHeld) return undefined;
      const side = sideOf(benchmark, subjects, subject);
      const setup = scriptProcess('setup', side.script, side.subject, settings);
      const answer = await holdScript(setup, supervisor, signal);
      if (!('release' in answer)) return failureOf('setup', answer);
      held = answer;
      return undefined;
    },
    /** Executes the teardown, if there is one, even after an abort: it removes what setup has created. */
    end: async () => failureOf('teardown', await held?.release()),
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
      const record = await preparation.begin();
      if (record === undefined) prepared.push(preparation);
      else await open.emit({ type: 'failure', record });
    }
    await work(prepared);
  } finally {
    for (const preparation of prepared) {
      const record = await preparation.end();
      if (record !== undefined) await open.emit({ type: 'failure', record });
    }
  }
  const durationMs = performance.now() - startedAtMs;
  if (haveTime)
    for (const { benchmark } of prepared)
      await open.emit({ type: 'benchmark end', benchmark: benchmark.name, durationMs });
}
