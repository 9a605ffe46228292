import { type Case, caseKey, counted } from '@bench-cli/results';
import { drawnOrder, type Failure } from '@bench-cli/results/recording';
import { type Executor, executeRun, processExecutor, sideOf } from '../execution/executor.ts';
import { givenUpCases } from '../execution/given-up.ts';
import { caseDealer, type Lane, onLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { Rounds } from '../execution/round.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { holdScript } from '../process/held-script.ts';
import { metricProbe, scriptProcess } from '../suite/script.ts';

/** A benchmark between its setup and its teardown. Its runs can be executed meanwhile. */
export type Preparation = NonNullable<Awaited<ReturnType<typeof prepare>>>;

/** Executes the setup of a benchmark, if there is one. @returns undefined if it fails */
async function prepare(benchmark: PlannedBenchmark, open: OpenSession) {
  const { request, supervisor, lanes, signal } = open;
  const { subjects, settings } = request;
  /** The first subject that has the benchmark executes its setup and its teardown. */
  const [subject = ''] = benchmark.scripts.keys();
  const fail = (phase: 'setup' | 'teardown', failure: Failure) => {
    const record = { type: 'failure', benchmark: benchmark.name, phase, subject, failure } as const;
    return open.emit({ type: 'failure', record });
  };
  const hold = () => {
    const side = sideOf(benchmark, subjects, subject);
    return holdScript(scriptProcess('setup', side.script, side.subject, settings), supervisor, signal);
  };
  const held = benchmark.isHeld ? await hold() : undefined;
  if (held !== undefined && 'kind' in held) {
    await fail('setup', held);
    return undefined;
  }
  const warn = async (message: string) => {
    if (open.warned.has(message)) return;
    open.warned.add(message);
    await open.emit({ type: 'warning', message });
  };
  const executor = processExecutor(benchmark, request, { supervisor }, held?.env, warn);
  const executors = lanes.map((lane) => processExecutor(benchmark, request, lane, held?.env, warn));
  return {
    benchmark,
    executor,
    /** For its runs on the CPUs of a lane; `executor` is for a single lane. */
    executorOn: ({ index }: Lane) => executors[index] ?? executor,
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
      const preparation = await prepare(benchmark, open);
      if (preparation !== undefined) prepared.push(preparation);
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

/** No paired test finds a difference with fewer pairs, so turns would not be worth their first look. */
export const FEWEST_TURNS = 6;

/** Each lane goes in rounds over its cases, so that a drift of the machine spreads over their samples. */
export async function executeRounds(planned: readonly PlannedBenchmark[], rounds: number, open: OpenSession) {
  const execute = async (prepared: PreparedCases) => {
    const roundsOn = prepared.deal(rounds, open);
    const givenUp = givenUpCases(prepared.subjectsOf, open.request.command !== 'run');
    const executed = new Rounds();
    function* roundsOf(lane: Lane): Generator<readonly ScheduledRun[]> {
      for (const runs of roundsOn(lane)) {
        if (open.budget.isSpent) return;
        if (rounds < FEWEST_TURNS) yield* runs.map((run) => [run]);
        else yield runs;
      }
    }
    await onLanes(open, (lane, on) =>
      executed.execute(roundsOf(lane), prepared.executorOn(lane), { open: on, givenUp }),
    );
  };
  // Lanes work on several benchmarks, which have no time of their own.
  await whilePreparedCases(planned, open, execute, open.lanes.length === 1);
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
