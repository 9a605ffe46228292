import type { Case } from '@bench-cli/results';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { executeRuns } from './execution.ts';
import { type FailureCount, GivenUp } from './given-up.ts';
import { CaseDealer, executeOnLanes, type Lane } from './lane.ts';
import type { SessionContext } from './preparation.ts';
import { PreparedCases } from './prepared-cases.ts';
import type { SessionEvent } from './session-event.ts';

/**
 * Executes a fixed number of rounds on several lanes at the same time. Each lane goes in rounds over its cases, so that a drift of
 * the machine spreads over their samples.
 */
export async function* executeConcurrently(
  planned: readonly PlannedBenchmark[],
  rounds: number,
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const { request, lanes, recorded, formerLane, signal } = context;
  const prepared = new PreparedCases(context);
  try {
    yield* prepared.begin(planned);
    const { cases } = prepared;
    const dealer = new CaseDealer(cases, formerLane);
    const givenUp = new GivenUpByBenchmark(planned);
    function* runsOf(lane: Lane): Generator<ScheduledRun> {
      for (let round = 0; round < rounds; round++) {
        for (const each of dealer.casesOf(lane, cases)) {
          yield* scheduleRound(each, prepared.subjectsOf(each), round, request.seed);
        }
      }
    }
    yield* executeOnLanes(
      lanes,
      (lane, stop) => executeRuns(runsOf(lane), prepared.executorOn(lane), givenUp, recorded, stop),
      signal,
    );
    yield* prepared.measureMetrics();
  } finally {
    yield* prepared.end();
  }
}

/** Benchmarks can differ in their subjects. */
class GivenUpByBenchmark implements FailureCount {
  readonly #byBenchmark: ReadonlyMap<string, GivenUp>;

  constructor(planned: readonly PlannedBenchmark[]) {
    this.#byBenchmark = new Map(planned.map(({ name, scripts }) => [name, new GivenUp([...scripts.keys()])]));
  }

  take(run: ScheduledRun, failed: boolean): boolean {
    return this.#byBenchmark.get(run.benchmark)?.take(run, failed) ?? false;
  }

  has(of: Case, subject: string): boolean {
    return this.#byBenchmark.get(of.benchmark)?.has(of, subject) ?? false;
  }
}
