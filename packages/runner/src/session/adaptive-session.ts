import type { Case } from '@bench-cli/results';
import type { AdaptiveRuns } from '@bench-cli/results/recording';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { executeRuns } from './execution.ts';
import { GivenUp } from './given-up.ts';
import { byDuration, CaseDealer, executeOnLanes, type Lane } from './lane.ts';
import { type Decision, Pace } from './pace.ts';
import type { SessionContext } from './preparation.ts';
import { PreparedCases } from './prepared-cases.ts';
import type { SessionEvent } from './session-event.ts';

/**
 * Executes rounds over the cases of all benchmarks until all are decided, or until the limit of runs or of time. A round
 * includes all open cases, because decisions depend on all of them, and so that each gets its share of limited time.
 */
export async function* executeAdaptively(
  planned: readonly PlannedBenchmark[],
  runs: AdaptiveRuns,
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const prepared = new PreparedCases(context);
  try {
    yield* prepared.begin(planned);
    yield* executeRounds(prepared, runs, context);
    yield* prepared.measureMetrics();
  } finally {
    yield* prepared.end();
  }
}

async function* executeRounds(
  prepared: PreparedCases,
  runs: AdaptiveRuns,
  { request, size, lanes, formerLane, recorded, signal }: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const { cases } = prepared;
  const subjects = request.subjects.map(({ name }) => name);
  // A client that fails leaves the other pairs to compare.
  const givenUp = new GivenUp(runs.allPairs ? [] : subjects);
  const pace = new Pace(runs, subjects, size, givenUp, lanes.length);
  const dealer = new CaseDealer(cases, formerLane);
  function* runsOf(round: number, due: Iterable<Case>): Generator<ScheduledRun> {
    for (const each of due) {
      if (pace.isSpent) return;
      const open = pace.openSubjects(each);
      yield* scheduleRound(each, subjects, round, request.seed).filter(({ subject }) =>
        open.includes(subject),
      );
    }
  }

  for (let round = 0; !pace.isSpent; round++) {
    const next = pace.nextRound(cases);
    if (next.length === 0) break;
    // All lanes end a round before it is judged, so that a later analysis of the runs judges alike.
    const waiting = new Set(lanes.length > 1 ? byDuration(next, (each) => pace.roundMs(each)) : next);
    const isBegun = (each: Case) =>
      subjects.some((subject) => recorded({ ...each, subject, round }) !== undefined);
    const dueOn = (lane: Lane) => runsOf(round, dealer.takeFrom(lane, waiting, isBegun));
    const events = executeOnLanes(
      lanes,
      (lane, stop) => executeRuns(dueOn(lane), prepared.executorOn(lane), givenUp, recorded, stop),
      signal,
    );
    for await (const event of events) {
      if (event.type === 'run') pace.take(event.record);
      yield event;
    }
    if (pace.isSpent) break;
    yield* decided(pace.endRound());
    yield { type: 'outlook', ...pace.outlook(cases) };
  }
  yield* decided(pace.end());
  const open = pace.open(cases).length;
  if (open > 0 && pace.isSpent) {
    const message = `the time limit ended the session with ${open} of ${cases.length} configurations undecided; a higher --budget would decide more of them`;
    yield { type: 'warning', message };
  }
}

function* decided(decisions: readonly Decision[]): Generator<SessionEvent> {
  for (const decision of decisions) yield { type: 'decision', decision };
}
