import { type Case, caseKey } from '@bench-cli/results';
import { type Executor, executeRun } from '../execution/executor.ts';
import { type Lane, shareOnLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { executeBenchmarks, type Preparation, type Runnable } from '../execution/preparation.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { schedule } from '../plan/schedule.ts';
import { metricProbe } from '../suite/script.ts';

/** Benchmarks that are set up at the same time, so that runs can go over all of their cases. */
export type PreparedCases = ReturnType<typeof preparedCases>;

/**
 * Works between the setups and the teardowns of benchmarks, and then measures their metrics.
 * @param haveTime whether to say how long it takes
 */
export async function whilePreparedCases(
  planned: readonly PlannedBenchmark[],
  open: OpenSession,
  work: (prepared: PreparedCases) => Promise<void>,
  haveTime?: boolean,
): Promise<void> {
  const execute = async (preparations: readonly Preparation[]) => {
    await work(preparedCases(preparations));
    await shareOnLanes(preparations, open, ({ on: onLane }, lane, on) => executeMetricRuns(onLane(lane), on));
  };
  await executeBenchmarks(planned, open, execute, haveTime);
}

function preparedCases(preparations: readonly Preparation[]) {
  const byName = new Map(preparations.map((each) => [each.benchmark.name, each]));
  const preparationOf = ({ benchmark }: Pick<Case, 'benchmark'>): Preparation => {
    const preparation = byName.get(benchmark);
    if (preparation === undefined) throw new RangeError(`unknown benchmark ${benchmark}`);
    return preparation;
  };
  return {
    cases: preparations.flatMap(({ benchmark: { name: benchmark, configurations } }) =>
      configurations.map((configuration) => ({ benchmark, configuration })),
    ),

    /** The names of the subjects that have the benchmark of a case. */
    subjectsOf: (each: Pick<Case, 'benchmark'>) => [...preparationOf(each).benchmark.scripts.keys()],

    /** Executes the runs of all cases on the CPUs of a lane. */
    executorOn: (lane: Lane): Executor => ({
      execute: (run, ...how) =>
        preparationOf(run)
          .on(lane)
          .executor.execute(run, ...how),
      turns: (round) => {
        const [first] = round;
        return first && preparationOf(first).on(lane).executor.turns?.(round);
      },
    }),
  };
}

/**
 * Measures the metrics of the cases of one benchmark, in runs of their own, because a process that measures them can be slower. A
 * case whose run fails has no more of them.
 */
async function executeMetricRuns({ benchmark, executor }: Runnable, open: OpenSession): Promise<void> {
  const { metrics, seed } = open.request;
  if (metrics === undefined) return;
  const { name, scripts } = benchmark;
  const names = metrics.metrics.map((metric) => metric.name);
  const probe = metricProbe(names);
  const failed = new Set<string>();
  let hasMetrics = true;
  const runs = [...schedule(benchmark, [...scripts.keys()], metrics.runs, seed)];
  for (const [at, run] of runs.entries()) {
    if (open.budget.isSpent) {
      const message = `${name}: the time limit left out ${runs.length - at} of ${runs.length} runs that measure metrics; a higher --budget would have them`;
      await open.emit({ type: 'warning', message });
      return;
    }
    const key = caseKey(run);
    if (failed.has(key)) {
      await open.emit({ type: 'skip', run });
      continue;
    }
    for (const record of await executeRun(run, executor, open, probe)) {
      if (record.status === 'failed') failed.add(key);
      else if (hasMetrics && !names.some((metric) => metric in record.values)) {
        hasMetrics = false;
        const message = `${name}: has no metrics, because it does not call start() and end(), measure() or http()`;
        await open.emit({ type: 'warning', message });
      }
    }
  }
}
