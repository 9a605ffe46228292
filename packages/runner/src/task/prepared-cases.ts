import { type Case, caseKey, counted } from '@bench-cli/results';
import { drawnOrder } from '@bench-cli/results/recording';
import { type Executor, executeRun } from '../execution/executor.ts';
import { caseDealer, type Lane, onLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { executeBenchmarks, type Preparation } from '../execution/preparation.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { metricProbe } from '../suite/script.ts';

/** Benchmarks that are set up at the same time, so that runs can go over all of their cases. */
export type PreparedCases = ReturnType<typeof preparedCases>;

/** Works between the setups and the teardowns of benchmarks, and then measures their metrics. */
export async function whilePreparedCases(
  planned: readonly PlannedBenchmark[],
  open: OpenSession,
  work: (prepared: PreparedCases) => Promise<void>,
  haveTime?: boolean,
): Promise<void> {
  const execute = async (preparations: readonly Preparation[]) => {
    const prepared = preparedCases(preparations);
    await work(prepared);
    await executeMetricRuns(prepared, open);
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
  const cases = preparations.flatMap(({ benchmark: { name: benchmark, configurations } }) =>
    configurations.map((configuration) => ({ benchmark, configuration })),
  );
  const subjectsOf = (each: Pick<Case, 'benchmark'>) => [...preparationOf(each).benchmark.scripts.keys()];
  return {
    cases,
    subjectsOf,

    /** Deals cases to lanes, and returns the rounds of each lane, with the cases in a drawn order. */
    deal(rounds: number, { formerLane, request: { seed } }: OpenSession) {
      const dealer = caseDealer(formerLane);
      return function* (lane: Lane): Generator<readonly ScheduledRun[]> {
        for (let round = 0; round < rounds; round++) {
          const drawn = drawnOrder(cases, seed, () => round);
          for (const each of dealer.casesOf(lane, drawn))
            yield scheduleRound(each, subjectsOf(each), round, seed);
        }
      };
    },

    executorOn(lane: Lane): Executor {
      const executorOf = (run: ScheduledRun) => preparationOf(run).executorOn(lane);
      return {
        execute: (run, ...how) => executorOf(run).execute(run, ...how),
        turns: (round) => round[0] && executorOf(round[0]).turns?.(round),
      };
    },
  };
}

/**
 * Measures the metrics of cases, in runs of their own, because a process that measures them can be slower. A
 * case whose run fails has no more of them.
 */
async function executeMetricRuns(prepared: PreparedCases, open: OpenSession): Promise<void> {
  const { metrics } = open.request;
  if (metrics === undefined) return;
  const names = metrics.metrics.map((metric) => metric.name);
  const probe = metricProbe(names);
  const failed = new Set<string>();
  const without = new Set<string>();
  let leftOut = 0;
  const roundsOn = prepared.deal(metrics.runs, open);
  await onLanes(open, async (lane, on) => {
    const executor = prepared.executorOn(lane);
    const execute = async (run: ScheduledRun) => {
      if (failed.has(caseKey(run))) return on.emit({ type: 'skip', run });
      for (const record of await executeRun(run, executor, on, probe)) {
        if (record.status === 'failed') failed.add(caseKey(run));
        else if (
          !without.has(run.benchmark) &&
          !names.some((metric) => Object.hasOwn(record.values, metric))
        ) {
          without.add(run.benchmark);
          const message = `${run.benchmark}: has no metrics, because it does not call start() and end(), measure() or http()`;
          await on.emit({ type: 'warning', message });
        }
      }
    };
    for (const round of roundsOn(lane)) {
      for (const run of round) {
        if (open.budget.isSpent) leftOut++;
        else await execute(run);
      }
    }
  });
  if (leftOut > 0) {
    const message = `the time limit left out ${counted(leftOut, 'run')} that measure metrics; a higher --budget would have them`;
    await open.emit({ type: 'warning', message });
  }
}
