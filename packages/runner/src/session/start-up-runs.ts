import { comparedRuns, mainThread, START_UP_RUNS, withManyOperations } from '@bench-cli/results';
import type { MetricRun, PlanRecord, RunRecord, Subject } from '@bench-cli/results/recording';
import type { Comparison } from '@bench-cli/stats';
import { metricProbe } from '../metric/loaded-probe.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { runKey, type ScheduledRun, schedule } from '../plan/schedule.ts';
import { unsupported } from '../suite/script-support.ts';
import type { ProcessExecutor } from './execution.ts';
import { type Lane, shareOnLanes } from './lane.ts';
import { Preparation, type Runnable, type SessionContext } from './preparation.ts';
import type { SessionEvent } from './session-event.ts';
import { type StartUpCase, startUpCases } from './start-up-cases.ts';

/** These runs take at most this share of the time of all others. */
const SHARE = 0.15;
/** A session of seconds has this much time for them in any case. */
const LEAST_MS = 5000;

/**
 * Measures how much of the differences of a comparison is start-up. The runs have the count of operations of their case, or a higher
 * one, and a probe that reads the CPU time of the main thread.
 * @param runs all runs of the session. They alone decide what is measured, so that a resumed session measures the same.
 */
export async function* executeStartUpRuns(
  planned: readonly PlannedBenchmark[],
  plan: PlanRecord,
  runs: readonly RunRecord[],
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const { request, lanes, signal } = context;
  const succeeded = runs.filter((run) => run.status === 'ok');
  const { judgeResults } = await import('@bench-cli/stats');
  const session = { session: { request }, plan, runs, metricRuns: [], startUpRuns: [] };
  const comparisons: readonly Comparison[] = judgeResults(comparedRuns([session])).list.comparisons;
  const replaceable = new Map(
    planned
      .filter(({ scripts }) => [...scripts.values()].every(({ values }) => values === 'replaceable'))
      .map((benchmark) => [benchmark.name, benchmark]),
  );
  const wanted = comparisons.filter(
    ({ survives, benchmark }) =>
      replaceable.has(benchmark) && (survives || request.settings.startUp === 'all'),
  );
  const limit = timeLimit(runs, context);
  const { cases, measured, suitable } = startUpCases(wanted, succeeded, limit.ms);
  yield* shareOnLanes(
    Array.from(Map.groupBy(cases, (each) => replaceable.get(each.benchmark))),
    lanes,
    async function* ([benchmark, own], lane, stop) {
      if (benchmark !== undefined) yield* measure(benchmark, own, lane, { ...context, signal: stop });
    },
    signal,
  );
  if (measured === suitable) return;
  const message = `start-up is measured for ${measured} of ${suitable} differences, the largest first, ${limit.advice}`;
  yield { type: 'warning', message };
}

/** What the runs may take together, and how to have more of them. */
function timeLimit(
  runs: readonly RunRecord[],
  { request: { runs: wanted, settings }, lanes }: SessionContext,
): { readonly ms: number; readonly advice: string } {
  const spentMs = runs.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const mostMs = settings.startUp === 'all' ? Number.POSITIVE_INFINITY : Math.max(SHARE * spentMs, LEAST_MS);
  const budgetMs = typeof wanted === 'number' ? undefined : wanted.budgetMs;
  const leftMs = budgetMs === undefined ? Number.POSITIVE_INFINITY : budgetMs * lanes.length - spentMs;
  return leftMs < mostMs
    ? { ms: leftMs, advice: 'until --budget is used up: a larger one measures more' }
    : { ms: mostMs, advice: 'to take little time: --start-up all measures it for all comparisons' };
}

/** Measures cases of a benchmark between its setup and its teardown. */
async function* measure(
  benchmark: PlannedBenchmark,
  cases: readonly StartUpCase[],
  lane: Lane,
  context: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  const preparation = new Preparation(benchmark, context);
  const unprepared = await preparation.begin();
  if (unprepared !== undefined) {
    const message = `${benchmark.name}: its start-up is unknown, because its setup failed: ${unprepared.failure.message}`;
    return yield { type: 'warning', message };
  }
  try {
    yield* executeRuns(cases, preparation.on(lane), context);
  } finally {
    const record = await preparation.end();
    if (record !== undefined) yield { type: 'failure', record };
  }
}

/** A subject whose run fails, or has no measured part, has no further run of its case. */
async function* executeRuns(
  cases: readonly StartUpCase[],
  { executor }: Runnable,
  { request, recordedStartUp, signal }: SessionContext,
): AsyncGenerator<SessionEvent, void, void> {
  // The higher count of a case can be the count of another one.
  const known = new Map<string, readonly MetricRun[]>();
  for (const { benchmark: name, configuration, subjects } of cases) {
    const configurations = [configuration, withManyOperations(configuration) ?? configuration];
    const compared = request.subjects.filter((subject) => subjects.has(subject.name));
    const [baseline = '', ...others] = compared.map((subject) => subject.name);
    const failed = new Set<string>();
    for (const run of schedule(
      { name, configurations },
      [baseline, ...others],
      START_UP_RUNS,
      request.seed,
    )) {
      const isAlone = failed.has(baseline) || others.every((name) => failed.has(name));
      if (isAlone || failed.has(run.subject)) continue;
      const key = runKey(run);
      const former = recordedStartUp(run);
      const isNew = !known.has(key);
      if (isNew && former === undefined) yield { type: 'start', run };
      const records = known.get(key) ?? former ?? (await measured(run, compared, executor, signal));
      known.set(key, records);
      for (const record of records) {
        if (isNew) yield { type: 'start-up', record, resumed: former !== undefined };
        if (record.status === 'failed' || !(mainThread in record.values)) failed.add(run.subject);
      }
    }
  }
}

const probe = metricProbe([mainThread]);

async function measured(
  run: ScheduledRun,
  subjects: readonly Subject[],
  executor: ProcessExecutor,
  signal: AbortSignal | undefined,
): Promise<readonly MetricRun[]> {
  const runtime = subjects.find(({ name }) => name === run.subject)?.runtime;
  if (runtime !== undefined && runtime.name !== 'node') {
    const failure = unsupported(runtime, 'the CPU time of the main thread requires Node.js');
    const startedAt = new Date().toISOString();
    return [{ type: 'start-up', ...run, startedAt, durationMs: 0, status: 'failed', failure }];
  }
  const records = await executor.observe(run, probe, signal);
  return records.map((record) => ({ ...record, type: 'start-up' }));
}
