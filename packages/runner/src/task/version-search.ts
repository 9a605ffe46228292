import { adaptiveRuns, type Case } from '@bench-cli/results';

import { Bisection, type SearchedVersion } from '@bench-cli/stats/internal';
import { type Executor, executeRuns } from '../execution/executor.ts';
import { givenUpCases } from '../execution/given-up.ts';
import { onLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { type ScheduledRun, scheduleRound } from '../plan/schedule.ts';
import { prepareVersion } from './bisected-version.ts';
import { whilePreparedCases } from './prepared-cases.ts';

/** Searches the first bad version by the runs of one configuration of a benchmark. */
export async function searchVersions(benchmark: PlannedBenchmark, open: OpenSession): Promise<void> {
  await whilePreparedCases([benchmark], open, (prepared) =>
    onLanes(open, async (lane, on) => {
      for (const each of prepared.cases) await search(each, benchmark, prepared.executorOn(lane), on);
    }),
  );
}

/**
 * Each round executes the good end and one version. What is executed next depends only on the runs so far, so that a resumed session
 * continues the same search.
 * @param each the case as it is executed
 * @param executor of the ends
 */
async function search(each: Case, benchmark: PlannedBenchmark, executor: Executor, open: OpenSession) {
  const { request, emit } = open;
  /** From the good end to the bad end. */
  const { subjects, versions = [], seed } = request;
  const runs = adaptiveRuns(request.runs);
  const [good, bad] = subjects;
  if (good === undefined || bad === undefined || runs === undefined) {
    throw new RangeError('a bisection requires two ends and adaptive runs');
  }
  const { maxRuns, budgetMs = Number.POSITIVE_INFINITY } = runs;
  const endNames = { good: good.name, bad: bad.name };
  /** Counts the versions from the first after the good end. */
  const bisection = new Bisection(versions.length - 1, runs);
  const badEnd = versions.length - 2;
  const executors = new Map([[badEnd, executor]]);
  /** Why versions cannot be measured. */
  const skipped = new Map<number, string>();
  let round = 0;
  let executed = 0;
  let spentMs = 0;
  let isGoodGivenUp = false;

  /** The text of a version as `bisection` counts; -1 is the good end. */
  const textOf = (at: number) => versions[at + 1] ?? '';
  const subjectOf = (at: number) => (at === badEnd ? endNames.bad : textOf(at));
  const isSpent = () => spentMs >= budgetMs;
  const nextVersion = () => (isSpent() || isGoodGivenUp ? undefined : bisection.next());
  const skip = (at: number, reason: string) => {
    skipped.set(at, reason);
    bisection.skip(at);
  };
  const searched = (at: number): SearchedVersion => {
    const reason = skipped.get(at);
    const evidence = bisection.evidence(at);
    return { version: textOf(at), ...evidence, ...(reason !== undefined && { skipped: reason }) };
  };

  const prepare = async (at: number) => {
    const version = textOf(at);
    const recorded = open.versions.find((it) => it.version === version);
    const { record, executor } =
      recorded?.status === 'failed'
        ? { record: recorded, executor: undefined }
        : await prepareVersion(version, benchmark, open);
    await emit({ type: 'version', record, resumed: recorded !== undefined });
    if (record.status === 'failed') skip(at, record.failure.message);
    if (executor !== undefined) executors.set(at, executor);
    return executor;
  };
  /** @param rates the rates of the round, by subject, which are added when both are there */
  function* roundsOf(at: number, rates: Map<string, number>): Generator<ScheduledRun> {
    const names = [endNames.good, subjectOf(at)];
    // If one of the two fails in each round, there is no pair, although neither fails twice in a row.
    for (let rounds = 0; nextVersion() === at; rounds++) {
      if (rounds === maxRuns) return skip(at, 'too many of its runs fail');
      rates.clear();
      yield* scheduleRound(each, names, round++, seed);
      const [goodRate, rate] = names.map((name) => rates.get(name));
      if (goodRate !== undefined && rate !== undefined) bisection.add(at, goodRate, rate);
    }
  }
  /** Measures a version as long as it is the next one. */
  const measure = async (at: number, executor: Executor) => {
    const rates = new Map<string, number>();
    let failure = 'the runs of the good end fail';
    const givenUp = givenUpCases(() => [endNames.good, subjectOf(at)]);
    await executeRuns(roundsOf(at, rates), executor, givenUp, open, (records, isGivenUp) => {
      for (const record of records) {
        executed++;
        spentMs += record.durationMs;
        if (record.status === 'ok') rates.set(record.subject, record.values.rate);
        else failure = record.failure.message;
      }
      if (!isGivenUp) return;
      isGoodGivenUp = records[0]?.subject === endNames.good;
      skip(at, failure);
    });
  };

  let current: number | undefined;
  for (let next = nextVersion(); next !== undefined; next = nextVersion()) {
    // The bad end also gets rounds between those of another version.
    if (current === undefined || (next !== current && next !== badEnd)) {
      if (current !== undefined) await emit({ type: 'step', step: searched(current) });
      current = next;
    }
    const able = executors.get(next) ?? (await prepare(next));
    if (able !== undefined) await measure(next, able);
  }
  if (current !== undefined) await emit({ type: 'step', step: searched(current) });
  if (isSpent()) {
    const message = 'the time limit ended the search early; a higher --budget would continue it';
    await emit({ type: 'warning', message });
  }
  const range = bisection.range();
  const all = Array.from({ length: badEnd + 1 }, (_, at) => searched(at));
  await emit({
    type: 'searched',
    result: {
      ends: bisection.ends(),
      found: range && {
        before: textOf(range.first - 1),
        first: textOf(range.first),
        last: textOf(range.last),
        probability: range.probability,
      },
      good: textOf(-1),
      versions: all.filter(({ runs, skipped }) => runs > 0 || skipped !== undefined),
      size: badEnd + 1,
      runs: executed,
      runsMs: spentMs,
    },
  });
}
