import type { Case, Configuration } from '@bench-cli/results';
import type { Executor } from '../execution/executor.ts';
import { type Lane, shareOnLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { type Preparation, prepare } from '../execution/preparation.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { notConcurrent } from '../plan/shared-resources.ts';
import { executeMetricRuns } from './metric-runs.ts';
import { calibratedConfigurations } from './operation-count.ts';

/** Benchmarks that are set up at the same time, so that runs can go over all of their cases. */
export class PreparedCases {
  readonly #preparations = new Map<string, Preparation>();
  /** What is measured of each benchmark. */
  readonly #configurations = new Map<string, readonly Configuration[]>();

  /** Works between the setups and the teardowns of benchmarks, with their counts of operations, and then measures their metrics. */
  static async while(
    planned: readonly PlannedBenchmark[],
    open: OpenSession,
    work: (prepared: PreparedCases) => Promise<void>,
  ): Promise<void> {
    const prepared = new PreparedCases();
    const preparations = prepared.#preparations;
    try {
      for (const benchmark of planned) {
        const preparation = prepare(benchmark, open);
        await open.emit({ type: 'benchmark start', benchmark: benchmark.name });
        const record = await preparation.begin();
        if (record === undefined) preparations.set(benchmark.name, preparation);
        else await open.emit({ type: 'failure', record });
      }
      await shareOnLanes([...preparations], open, async ([name, preparation], lane, on) => {
        prepared.#configurations.set(name, await calibratedConfigurations(preparation.on(lane), on));
      });
      await work(prepared);
      await shareOnLanes([...preparations], open, ([name, preparation], lane, on) =>
        executeMetricRuns(preparation.on(lane), prepared.#configurations.get(name) ?? [], on),
      );
    } finally {
      for (const preparation of preparations.values()) {
        const record = await preparation.end();
        if (record !== undefined) await open.emit({ type: 'failure', record });
      }
    }
  }

  get names(): readonly string[] {
    return [...this.#preparations.keys()];
  }

  get cases(): readonly Case[] {
    return this.names.flatMap((benchmark) =>
      (this.#configurations.get(benchmark) ?? []).map((configuration) => ({ benchmark, configuration })),
    );
  }

  /** The names of the subjects that have the benchmark of a case. */
  subjectsOf({ benchmark }: Pick<Case, 'benchmark'>): readonly string[] {
    return [...this.#of(benchmark).benchmark.scripts.keys()];
  }

  /** Executes the runs of all cases on the CPUs of a lane. */
  executorOn(lane: Lane): Executor {
    return {
      execute: async (run, signal) => {
        const { executor } = this.#of(run.benchmark).on(lane);
        const records = await executor.execute(run, signal);
        const isLoad = records.some((each) => each.status === 'ok' && each.load !== undefined);
        if (lane.cpus !== undefined && isLoad)
          throw notConcurrent(run.benchmark, 'loads an HTTP server, whose load tool needs CPUs of its own');
        return records;
      },
    };
  }

  #of(benchmark: string): Preparation {
    const preparation = this.#preparations.get(benchmark);
    if (preparation === undefined) throw new RangeError(`unknown benchmark ${benchmark}`);
    return preparation;
  }
}

/** Works on benchmarks between their setups and their teardowns, and says when they have ended. */
export async function executeTogether(
  ...[planned, open, work]: Parameters<typeof PreparedCases.while>
): Promise<void> {
  const startedAtMs = performance.now();
  let names: readonly string[] = [];
  await PreparedCases.while(planned, open, async (prepared) => {
    names = prepared.names;
    await work(prepared);
  });
  const durationMs = performance.now() - startedAtMs;
  for (const benchmark of names) await open.emit({ type: 'benchmark end', benchmark, durationMs });
}
