import { comparedRuns, mainThread, START_UP_RUNS, withManyOperations } from '@bench-cli/results';
import type { RunRecord, Subject } from '@bench-cli/results/recording';
import type { Comparison } from '@bench-cli/stats';
import { type Executor, executeRun } from '../execution/executor.ts';
import { shareOnLanes } from '../execution/lane.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { type Preparation, whilePrepared } from '../execution/preparation.ts';
import { runKey, schedule } from '../plan/schedule.ts';
import type { Division } from '../shard/division.ts';
import { metricProbe } from '../suite/script.ts';
import { unsupported } from '../suite/script-support.ts';
import { type StartUpCase, startUpCases } from './start-up-cases.ts';

/** These runs take at most this share of the time of all others, */
const SHARE = 0.15;
/** or this long, so that sessions of less than half a minute, whose share is too short for a single case, have some too. */
const LEAST_MS = 5000;

/**
 * Measures how much of the differences of a comparison is start-up. The runs have the count of operations of their case, or a higher
 * one, and a probe that reads the CPU time of the main thread.
 * @param runs all runs of the session. They alone decide what is measured, so that a resumed session measures the same.
 */
export async function executeStartUpRuns(
  { own, plan }: Division,
  runs: readonly RunRecord[],
  open: OpenSession,
): Promise<void> {
  const { request, emit } = open;
  const { judgeResults } = await import('@bench-cli/stats');
  const session = { session: { request }, plan, runs, metricRuns: [], startUpRuns: [], controlRuns: [] };
  const comparisons: readonly Comparison[] = judgeResults(comparedRuns([session])).list.comparisons;
  const replaceable = new Map(
    own
      .filter(({ scripts }) => [...scripts.values()].every(({ values }) => values === 'replaceable'))
      .map((benchmark) => [benchmark.name, benchmark]),
  );
  const wanted = comparisons.filter(
    ({ survives, benchmark }) =>
      replaceable.has(benchmark) && (survives || request.settings.startUp === 'all'),
  );
  const succeeded = runs.filter((run) => run.status === 'ok');
  const limit = timeLimit(runs, open);
  const { cases, measured, suitable } = startUpCases(wanted, succeeded, limit.ms);
  await shareOnLanes(
    Array.from(Map.groupBy(cases, (each) => replaceable.get(each.benchmark))),
    open,
    async ([benchmark, own], lane, on) => {
      if (benchmark === undefined) return;
      const execute = async (prepared: readonly Preparation[]) => {
        for (const each of prepared) await measure(own, each.on(lane).executor, on);
      };
      await whilePrepared([benchmark], on, execute, ({ failure }) => {
        const message = `${benchmark.name}: its start-up is unknown, because its setup failed: ${failure.message}`;
        return emit({ type: 'warning', message });
      });
    },
  );
  if (measured === suitable) return;
  const message = `start-up is measured for ${measured} of ${suitable} differences, the largest first, ${limit.advice}`;
  await emit({ type: 'warning', message });
}

/** What the runs may take together, and how to have more of them. */
function timeLimit(runs: readonly RunRecord[], { request: { runs: wanted, settings }, lanes }: OpenSession) {
  const spentMs = runs.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const mostMs = settings.startUp === 'all' ? Number.POSITIVE_INFINITY : Math.max(SHARE * spentMs, LEAST_MS);
  const budgetMs = typeof wanted === 'number' ? undefined : wanted.budgetMs;
  const leftMs = budgetMs === undefined ? Number.POSITIVE_INFINITY : budgetMs * lanes.length - spentMs;
  return leftMs < mostMs
    ? { ms: leftMs, advice: 'until --budget is used up: a larger one measures more' }
    : { ms: mostMs, advice: 'to take little time: --start-up all measures it for all comparisons' };
}

/** A subject whose run fails, or has no measured part, has no further run of its case. */
async function measure(cases: readonly StartUpCase[], executor: Executor, open: OpenSession): Promise<void> {
  const { subjects: all, seed } = open.request;
  // The higher count of a case can be the count of another one.
  const known = new Map<string, readonly RunRecord[]>();
  for (const { benchmark: name, configuration, subjects } of cases) {
    const configurations = [configuration, withManyOperations(configuration) ?? configuration];
    const compared = all.filter((subject) => subjects.has(subject.name));
    const [baseline = '', ...others] = compared.map((subject) => subject.name);
    const executors = new Map(compared.map((each) => [each.name, executorFor(each, executor)]));
    const failed = new Set<string>();
    for (const run of schedule({ name, configurations }, [baseline, ...others], START_UP_RUNS, seed)) {
      const isAlone = failed.has(baseline) || others.every((name) => failed.has(name));
      if (isAlone || failed.has(run.subject)) continue;
      const key = runKey(run);
      const able = executors.get(run.subject) ?? executor;
      const records = known.get(key) ?? (await executeRun(run, able, open, observation));
      known.set(key, records);
      for (const record of records)
        if (record.status === 'failed' || !(mainThread in record.values)) failed.add(run.subject);
    }
  }
}

const observation = { kind: 'start-up', probe: metricProbe([mainThread]) } as const;

/** Without the clock of Node.js, a run fails before its process begins. */
function executorFor({ runtime }: Subject, executor: Executor): Executor {
  if (runtime.name === 'node') return executor;
  const failure = unsupported(runtime, 'the CPU time of the main thread requires Node.js');
  const kind = observation.kind;
  return {
    execute: async (run) => {
      const startedAt = new Date().toISOString();
      return [{ type: 'run', kind, ...run, startedAt, durationMs: 0, status: 'failed', failure }];
    },
  };
}
