import { hash } from 'node:crypto';
import { join } from 'node:path';
import { adaptiveRuns, type Case, caseKey, ownValue, UsageError } from '@bench-cli/results';
import type {
  AdaptiveRuns,
  MetricDescription,
  RunRecord,
  Subject,
  SucceededRun,
} from '@bench-cli/results/recording';
import { Bisection, type SearchedVersion, type SearchResult } from '@bench-cli/stats/internal';
import { type PlacedSubject, placeRequest, resolveSubject } from '@bench-cli/subjects';
import { versionRequest } from '@bench-cli/subjects/code';
import { type Executor, executeRuns, processExecutor, type Take } from '../execution/executor.ts';
import { givenUpCases } from '../execution/given-up.ts';
import { onLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { Rounds } from '../execution/round.ts';
import { type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { scheduleRound } from '../plan/schedule.ts';
import { preparationBy } from '../process/prepare.ts';
import { failureOf } from '../process/supervisor.ts';
import { metricProbe } from '../suite/script.ts';
import { whilePreparedCases } from './prepared-cases.ts';

/** Searches the first bad version by the runs of one configuration of a benchmark. */
export async function searchVersions(benchmark: PlannedBenchmark, open: OpenSession): Promise<void> {
  await whilePreparedCases([benchmark], open, (prepared) =>
    onLanes(open, async (lane, on) => {
      for (const each of prepared.cases) await search(each, benchmark, prepared.executorOn(lane), on);
    }),
  );
}

/** @param executorOfEnds executes the runs of the case under both ends */
async function search(each: Case, benchmark: PlannedBenchmark, executorOfEnds: Executor, open: OpenSession) {
  const { request, emit, budget } = open;
  const { subjects, versions = [], seed } = request;
  const [metric] = request.metrics?.metrics ?? [];
  const probe = metric && metricProbe([metric.name]);
  const runs = adaptiveRuns(request.runs);
  const [good, bad] = subjects;
  if (good === undefined || bad === undefined || runs === undefined)
    throw new RangeError('a bisection requires two ends and adaptive runs');
  const steps = versionSearch(versions, runs, budget, metric);
  const executors = new Map([[steps.badEnd, executorOfEnds]]);
  const prepare = async (at: number) => {
    const version = steps.versionAt(at);
    const recorded = open.versions.find((record) => record.version === version);
    const prepared =
      recorded?.status === 'failed' ? recorded.failure : await prepareVersion(version, good, benchmark, open);
    const { executor, ...state } =
      'kind' in prepared
        ? ({ status: 'failed', version, failure: prepared, executor: undefined } as const)
        : ({ status: 'ok', version, ...prepared } as const);
    await emit({ type: 'version', record: { type: 'version', ...state }, resumed: recorded !== undefined });
    if (state.status === 'failed') steps.skip(at, state.failure.message);
    if (executor !== undefined) executors.set(at, executor);
    return executor;
  };

  let names: readonly string[] = [];
  const givenUp = givenUpCases(() => names);
  const rounds = new Rounds();
  let round = 0;
  let current: number | undefined;
  for (let at = steps.next(); at !== undefined; at = steps.next()) {
    // The bad end also gets rounds between the rounds of another version.
    if (current === undefined || (at !== current && at !== steps.badEnd)) {
      if (current !== undefined) await emit({ type: 'step', step: steps.searched(current) });
      current = at;
    }
    const executor = executors.get(at) ?? (await prepare(at));
    if (executor === undefined) continue;
    names = [good.name, at === steps.badEnd ? bad.name : steps.versionAt(at)];
    const records: RunRecord[] = [];
    let givenUpSubject: string | undefined;
    const scheduled = scheduleRound(each, names, round++, seed);
    const take: Take = (ofRun, isGivenUp) => {
      records.push(...ofRun);
      if (isGivenUp) givenUpSubject = ofRun[0]?.subject;
    };
    if (probe === undefined) await rounds.execute([scheduled], executor, { open, givenUp, take });
    else await executeRuns(scheduled, executor, { open, givenUp, take }, probe);
    steps.take(at, names, records, givenUpSubject);
  }
  if (current !== undefined) await emit({ type: 'step', step: steps.searched(current) });
  if (budget.isSpent) {
    const message = 'the time limit ended the search early; a higher --budget would continue it';
    await emit({ type: 'warning', message });
  }
  await emit({ type: 'searched', result: steps.result() });
}

/** Errors that are not the fault of a version. They end the session, which can be resumed. */
const surroundings: ReadonlySet<string> = new Set([
  'ERR_BENCH_CACHE',
  'ERR_BENCH_NPM_MISSING',
  'ERR_BENCH_REGISTRY',
]);

/**
 * Fetches a version and plans the benchmark under it.
 * @returns the failure for a version that cannot be measured
 * @throws UsageError if no version can be fetched
 */
async function prepareVersion(
  version: string,
  good: PlacedSubject,
  benchmark: PlannedBenchmark,
  { request, supervisor, signal }: OpenSession,
) {
  const { settings } = request;
  let subject: Subject;
  try {
    const prepare = preparationBy(settings.prepare);
    subject = await resolveSubject(version, versionRequest(good, version), { ...settings, prepare, signal });
  } catch (error) {
    if (!(error instanceof UsageError) || surroundings.has(error.code)) throw error;
    return failureOf('not started', error.message);
  }
  const place = join(supervisor.directory, hash('sha256', version));
  const pair = [good, ...placeRequest({ ...request, subjects: [subject] }, place).subjects];
  const plans = await planFile(benchmark.file, pair, { settings, supervisor, signal });
  const planned = plans.find(({ name }) => name === benchmark.name) ?? plans.find((it) => 'failure' in it);
  if (planned !== undefined && 'failure' in planned) return planned.failure;
  const keyOf = (configuration: Case['configuration']) =>
    caseKey({ benchmark: benchmark.name, configuration });
  const keys = new Set(planned?.configurations.map(keyOf));
  if (planned === undefined || !benchmark.configurations.every((each) => keys.has(keyOf(each))))
    return failureOf('not started', 'the benchmark does not have the case under this version');
  const executor = processExecutor(planned, { ...request, subjects: pair }, { supervisor });
  return { subject, executor };
}

/**
 * The steps of a search: the runs so far go in, and the version of the next round comes out, so that a
 * resumed session continues the same search. Versions count from the first after the good end, which is -1.
 * @param metric of which the amounts are searched; without it, the rates
 */
function versionSearch(
  versions: readonly string[],
  runs: AdaptiveRuns,
  budget: OpenSession['budget'],
  metric: MetricDescription | undefined,
) {
  const badEnd = versions.length - 2;
  const bisection = new Bisection(versions.length - 1, runs);
  /** The version of the last round, and for how many rounds in a row. */
  let streak = { version: -1, rounds: 0 };
  let isGoodGivenUp = false;
  let executed = 0;
  const versionAt = (at: number) => versions[at + 1] ?? '';
  /** The version of the next round; undefined at the end of the search. */
  const next = () => (budget.isSpent || isGoodGivenUp ? undefined : bisection.next());
  const skip = (at: number, reason: string) => bisection.skip(at, reason);
  const searched = (at: number): SearchedVersion => ({ version: versionAt(at), ...bisection.evidence(at) });
  return {
    ...{ badEnd, versionAt, next, skip, searched },

    /** @param givenUp the subject whose runs have failed too often */
    take(
      at: number,
      [good = '', other = '']: readonly string[],
      records: readonly RunRecord[],
      givenUp?: string,
    ): void {
      executed += records.length;
      const values = new Map<string, number>();
      let failure = '';
      for (const record of records) {
        if (record.kind === 'look') continue;
        if (record.status === 'ok') values.set(record.subject, figureOf(record, metric));
        else failure = record.failure.message;
      }
      const [goodValue, value] = [values.get(good), values.get(other)];
      if (goodValue !== undefined && value !== undefined) bisection.add(at, goodValue, value);
      streak = { version: at, rounds: streak.version === at ? streak.rounds + 1 : 1 };
      isGoodGivenUp = givenUp === good;
      if (givenUp !== undefined) skip(at, failure);
      // If one of the two fails in each round, there is no pair, although neither fails twice in a row.
      else if (streak.rounds === runs.maxRuns && next() === at) skip(at, 'too many of its runs fail');
    },

    result(): SearchResult {
      const range = bisection.range();
      const all = Array.from({ length: badEnd + 1 }, (_, at) => searched(at));
      const isAtMost = all.some((each) => each.runs >= runs.maxRuns);
      return {
        ...(metric && { metric }),
        ends: bisection.ends(),
        found: range && {
          before: versionAt(range.first - 1),
          first: versionAt(range.first),
          last: versionAt(range.last),
          probability: range.probability,
        },
        good: versionAt(-1),
        versions: all.filter(({ runs, skipped }) => runs > 0 || skipped !== undefined),
        size: badEnd + 1,
        runs: executed,
        runsMs: budget.spentMs,
        limit: budget.isSpent ? 'time' : isAtMost ? 'runs' : undefined,
      };
    },
  };
}

/** The rate, or the amount of the metric. Negligible amounts are equal, and have ratios. */
function figureOf({ benchmark, values }: SucceededRun, metric: MetricDescription | undefined): number {
  if (metric === undefined) return values.rate;
  const { name, negligible } = metric;
  const amount = ownValue(values, name);
  if (amount !== undefined) return Math.max(amount, negligible);
  const problem = `${benchmark} has no ${name}, because it does not call start() and end(), measure() or http(): add one of them, or leave --metric out`;
  throw new UsageError('ERR_BENCH_METRIC', problem);
}
