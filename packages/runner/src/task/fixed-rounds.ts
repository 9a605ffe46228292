import { executeRuns } from '../execution/executor.ts';
import { givenUpCases } from '../execution/given-up.ts';
import { CaseDealer, type Lane, onLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleCompared } from '../plan/schedule.ts';
import { type PreparedCases, whilePreparedCases } from './prepared-cases.ts';

/**
 * Executes a fixed number of rounds of benchmarks, on all lanes at the same time. Each lane goes in rounds over its cases, so that a
 * drift of the machine spreads over their samples.
 */
export async function executeRounds(planned: readonly PlannedBenchmark[], rounds: number, open: OpenSession) {
  const { request, formerLane, lanes } = open;
  const execute = async (prepared: PreparedCases) => {
    const { cases } = prepared;
    const dealer = new CaseDealer(cases, formerLane);
    const givenUp = givenUpCases((each) => prepared.subjectsOf(each));
    function* runsOf(lane: Lane): Generator<ScheduledRun> {
      for (let round = 0; round < rounds; round++) {
        for (const each of dealer.casesOf(lane, cases)) {
          if (open.budget.isSpent) return;
          yield* scheduleCompared(each, prepared.subjectsOf(each), round, request);
        }
      }
    }
    await onLanes(open, (lane, on) => executeRuns(runsOf(lane), prepared.executorOn(lane), givenUp, on));
  };
  // Lanes work on several benchmarks, which have no time of their own.
  await whilePreparedCases(planned, open, execute, lanes.length === 1);
}
