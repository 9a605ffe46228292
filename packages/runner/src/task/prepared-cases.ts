import type { Case, Configuration } from '@bench-cli/results';
import type { Executor } from '../execution/executor.ts';
import { type Lane, shareOnLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { Preparation } from '../execution/preparation.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { notConcurrent } from '../plan/shared-resources.ts';
import { executeMetricRuns } from './metric-runs.ts';
import { calibratedConfigurations } from './operation-count.ts';

/** A benchmark that is set up, with the configurations that are measured. */
interface Prepared {
  readonly preparation: Preparation;
  readonly configurations: readonly Configuration[];
}

/** Benchmarks that are set up at the same time, so that runs can go over all of their cases. */
export class PreparedCases {
  readonly #prepared = new Map<string, Prepared>();

  /** Works between the setups and the teardowns of benchmarks, with their counts of operations, and then measures their metrics. */
  static async while(
    planned: readonly PlannedBenchmark[],
    open: OpenSession,
    work: (prepared: PreparedCases) => Promise<void>,
  ): Promise<void> {
    const prepared = new PreparedCases();
    const begun: Preparation[] = [];
    try {
      for (const benchmark of planned) {
        const preparation = new Preparation(benchmark, open);
        await open.emit({ type: 'benchmark start', benchmark: benchmark.name });
        const record = await preparation.begin();
        if (record === undefined) begun.push(preparation);
        else await open.emit({ type: 'failure', record });
      }
      await prepared.#calibrate(begun, open);
      await work(prepared);
      await shareOnLanes(
        [...prepared.#prepared.values()],
        open,
        ({ preparation, configurations }, lane, on) =>
          executeMetricRuns(preparation.on(lane), configurations, on),
      );
    } finally {
      for (const preparation of begun) {
        const record = await preparation.end();
        if (record !== undefined) await open.emit({ type: 'failure', record });
      }
    }
  }

  get cases(): readonly Case[] {
    return [...this.#prepared].flatMap(([benchmark, { configurations }]) =>
      configurations.map((configuration) => ({ benchmark, configuration })),
    );
  }

  /** The names of the subjects that have the benchmark of a case. */
  subjectsOf({ benchmark }: Pick<Case, 'benchmark'>): readonly string[] {
    return [...this.#of(benchmark).preparation.benchmark.scripts.keys()];
  }

  /** Executes the runs of all cases on the CPUs of a lane. */
  executorOn(lane: Lane): Executor {
    return {
      execute: async (run, signal) => {
        const { preparation } = this.#of(run.benchmark);
        const records = await preparation.on(lane).executor.execute(run, signal);
        if (
          lane.cpus !== undefined &&
          records.some((each) => each.status === 'ok' && each.load !== undefined)
        )
          throw notConcurrent(run.benchmark, 'loads an HTTP server, whose load tool needs CPUs of its own');
        return records;
      },
    };
  }

  async #calibrate(begun: readonly Preparation[], open: OpenSession): Promise<void> {
    const found = new Map<Preparation, readonly Configuration[]>();
    await shareOnLanes(begun, open, async (preparation, lane, on) => {
      found.set(preparation, await calibratedConfigurations(preparation.on(lane), on));
    });
    for (const preparation of begun) {
      const configurations = found.get(preparation) ?? [];
      this.#prepared.set(preparation.benchmark.name, { preparation, configurations });
    }
  }

  #of(benchmark: string): Prepared {
    const prepared = this.#prepared.get(benchmark);
    if (prepared === undefined) throw new RangeError(`unknown benchmark ${benchmark}`);
    return prepared;
  }
}
