import { givenUpCases } from '../execution/given-up.ts';
import { type Lane, onLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { Rounds } from '../execution/round.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import type { ScheduledRun } from '../plan/schedule.ts';
import { type PreparedCases, whilePreparedCases } from './prepared-cases.ts';

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
