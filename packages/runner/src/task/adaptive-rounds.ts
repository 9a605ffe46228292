import { type Case, caseName, counted } from '@bench-cli/results';
import { type AdaptiveRuns, drawnOrder, type RunRecord } from '@bench-cli/results/recording';
import { givenUpCases } from '../execution/given-up.ts';
import { caseDealer, type Lane, onLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { Rounds } from '../execution/round.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { paceOf } from './pace.ts';
import { type PreparedCases, whilePreparedCases } from './prepared-cases.ts';
import { samplePlans } from './sample-plans.ts';

/**
 * Executes rounds over the cases of all benchmarks until all are decided, or until the limit of runs or of
 * time. A round includes the cases that are expected to be decided soonest, so that verdicts come early and
 * the hopeless wait.
 * @param size how many cases the command has, all shards together
 */
export async function executeAdaptively(
  planned: readonly PlannedBenchmark[],
  runs: AdaptiveRuns,
  size: number,
  open: OpenSession,
): Promise<void> {
  const execute = async (prepared: PreparedCases) => {
    const { request, lanes, formerLane, recorded, emit } = open;
    const { cases } = prepared;
    const subjects = request.subjects.map(({ name }) => name);
    // A client that fails leaves the other pairs to compare.
    const givenUp = givenUpCases(prepared.subjectsOf, !runs.allPairs);
    const laterRuns = (request.metrics?.runs ?? 0) * cases.length * subjects.length;
    const ranked = request.command === 'run' ? request.files : undefined;
    const pace = paceOf(runs, subjects, size, givenUp, lanes.length, laterRuns, ranked);
    const changing: Case[] = [];
    const plans = request.settings.declaredTimes
      ? undefined
      : samplePlans(subjects, runs.margin, (each) => changing.push(each));
    const dealer = caseDealer(formerLane);
    const rounds = new Rounds();
    function* roundsOf(due: Iterable<Case>): Generator<readonly ScheduledRun[]> {
      for (const each of due) {
        if (!isBegun(each) && !pace.hasTimeFor(each)) continue;
        const open = pace.openSubjects(each);
        yield scheduleRound(each, subjects, pace.roundOf(each), request.seed).filter(
          (run) => open.includes(run.subject) || recorded('rate', run) !== undefined,
        );
      }
    }
    const planned = (round: readonly ScheduledRun[]) => {
      const open = round.map(({ subject }) => subject);
      return round.map((run) => ({ ...run, order: plans?.of(run, open, run.round) }));
    };
    const take = (records: readonly RunRecord[]) => {
      for (const record of records) {
        pace.take(record);
        plans?.take(record);
      }
    };

    const isBegun = (each: Case, round = pace.roundOf(each)) =>
      subjects.some((subject) => recorded('rate', { ...each, subject, round }) !== undefined);
    for (;;) {
      // With another limit of runs or time, a session can decide a case before runs that the case had.
      const next = pace.nextRound(cases, isBegun);
      if (next.length === 0) break;
      // All lanes end a round before it is judged, so that a later analysis of the runs judges alike.
      const waiting = new Set(drawnOrder(next, request.seed, (each) => pace.roundOf(each)));
      const dueOn = (lane: Lane) => roundsOf(dealer.takeFrom(lane, waiting, (each) => isBegun(each)));
      await onLanes(open, (lane, on) =>
        rounds.execute(dueOn(lane), prepared.executorOn(lane), { open: on, givenUp, take }, planned),
      );
      for (const each of next)
        pace.expect(each, plans?.of(each, pace.openSubjects(each), pace.roundOf(each) + 1));
      for (const each of changing.splice(0)) {
        const what = subjects.length > 1 ? 'the ratio of its subjects' : 'its rate';
        const message = `${caseName(each)}: ${what} changes while a process runs, so its processes sample for the declared times`;
        await emit({ type: 'warning', message });
      }
      if (pace.isSpent()) continue;
      for (const decision of pace.judge()) await emit({ type: 'decision', decision });
      await emit({ type: 'outlook', ...pace.outlook(cases) });
    }
    for (const decision of pace.judge(true)) await emit({ type: 'decision', decision });
    const { undecided, all } = pace.results(cases);
    if (undecided > 0 && pace.isSpent()) {
      const left = runs.allPairs
        ? 'before all pairs were clear'
        : `with ${undecided} of ${counted(all, 'result')} undecided`;
      const message = `the time limit ended the session ${left}; a higher --budget would decide more of them`;
      await emit({ type: 'warning', message });
    }
  };
  await whilePreparedCases(planned, open, execute, false);
}
