import type { Case, Configuration } from '@bench-cli/results';
import type { PlannedBenchmark } from '../plan/plan.ts';
import type { ScheduledRun } from '../plan/schedule.ts';
import { notConcurrent } from '../plan/shared-resources.ts';
import type { Executor } from './execution.ts';
import { type Lane, shareOnLanes } from './lane.ts';
import { executeMetricRuns } from './metric-runs.ts';
import { calibratedConfigurations } from './operation-count.ts';
import { Preparation, type SessionContext } from './preparation.ts';
import type { SessionEvent } from './session-event.ts';

/** A benchmark that is set up, with the configurations that are measured. */
interface Prepared {
  readonly preparation: Preparation;
  readonly configurations: readonly Configuration[];
}

/** Benchmarks that are set up at the same time, so that runs can go over all of their cases. */
export class PreparedCases {
  readonly #context: SessionContext;
  readonly #prepared = new Map<string, Prepared>();
  /** The benchmarks that are set up. Some of them may not be calibrated. */
  readonly #begun: Preparation[] = [];

  constructor(context: SessionContext) {
    this.#context = context;
  }

  /** Sets benchmarks up, and finds their counts of operations. */
  async *begin(planned: readonly PlannedBenchmark[]): AsyncGenerator<SessionEvent, void, void> {
    for (const benchmark of planned) {
      const preparation = new Preparation(benchmark, this.#context);
      yield { type: 'benchmark start', benchmark: benchmark.name };
      const record = await preparation.begin();
      if (record === undefined) this.#begun.push(preparation);
      else yield { type: 'failure', record };
    }
    const found = new Map<Preparation, readonly Configuration[]>();
    yield* this.#share(this.#begun, async function* (preparation, lane, context) {
      found.set(preparation, yield* calibratedConfigurations(preparation.on(lane), context));
    });
    for (const preparation of this.#begun) {
      const configurations = found.get(preparation) ?? [];
      this.#prepared.set(preparation.benchmark.name, { preparation, configurations });
    }
  }

  get cases(): readonly Case[] {
    return [...this.#prepared].flatMap(([benchmark, { configurations }]) =>
      configurations.map((configuration) => ({ benchmark, configuration })),
    );
  }

  /** The names of the subjects that have the benchmark of a case. */
  subjectsOf({ benchmark }: Case): readonly string[] {
    return [...this.#of(benchmark).preparation.benchmark.scripts.keys()];
  }

  /** Executes the runs of all cases on the CPUs of a lane. */
  executorOn(lane: Lane): Executor {
    return {
      execute: async (run: ScheduledRun, signal?: AbortSignal) => {
        const { preparation } = this.#of(run.benchmark);
        const outcome = await preparation.on(lane).executor.execute(run, signal);
        if (lane.cpus !== undefined && outcome.status === 'ok' && outcome.load !== undefined) {
          throw notConcurrent(run.benchmark, 'loads an HTTP server, whose load tool needs CPUs of its own');
        }
        return outcome;
      },
    };
  }

  /** Measures the metrics, if there are any. */
  async *measureMetrics(): AsyncGenerator<SessionEvent, void, void> {
    yield* this.#share([...this.#prepared.values()], ({ preparation, configurations }, lane, context) =>
      executeMetricRuns(preparation.on(lane), configurations, context),
    );
  }

  /** Tears all benchmarks down. */
  async *end(): AsyncGenerator<SessionEvent, void, void> {
    for (const preparation of this.#begun) {
      const record = await preparation.end();
      if (record !== undefined) yield { type: 'failure', record };
    }
  }

  #share<Item>(
    items: readonly Item[],
    work: (item: Item, lane: Lane, context: SessionContext) => AsyncGenerator<SessionEvent, void, void>,
  ): AsyncGenerator<SessionEvent, void, void> {
    const { lanes, signal } = this.#context;
    const each = (item: Item, lane: Lane, stop: AbortSignal | undefined) =>
      work(item, lane, { ...this.#context, signal: stop });
    return shareOnLanes(items, lanes, each, signal);
  }

  #of(benchmark: string): Prepared {
    const prepared = this.#prepared.get(benchmark);
    if (prepared === undefined) throw new RangeError(`unknown benchmark ${benchmark}`);
    return prepared;
  }
}
