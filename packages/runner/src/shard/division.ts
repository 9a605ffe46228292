import { hash } from 'node:crypto';
import { type Configuration, caseKey, UsageError } from '@bench-cli/results';
import {
  changedBenchmark,
  type PlanRecord,
  type Recording,
  type SessionRequest,
} from '@bench-cli/results/recording';
import type { PlannedBenchmark } from '../plan/plan.ts';

/** The plan of a session, and the part of it that is executed here. */
export interface Division {
  readonly plan: PlanRecord;
  readonly own: readonly PlannedBenchmark[];
}

/**
 * Divides planned benchmarks among shards: cases take turns, in the order of their digests, so that no parameter has the rhythm of the
 * shards, and machines need not communicate. All subjects of a case are in one shard, so that they are compared on one machine.
 * Without shards everything is executed here.
 */
export function divide(planned: readonly PlannedBenchmark[], shard: SessionRequest['shard']): Division {
  const benchmarks = planned.map(({ name, configurations, isNew, scripts }) => ({
    name,
    configurations: [...configurations],
    ...(isNew && { onlyUnder: [...scripts.keys()] }),
  }));
  if (shard === undefined) return { plan: { type: 'plan', benchmarks }, own: planned };
  const shards = shardsOfCases(
    benchmarks.flatMap(({ name, configurations }) => configurations.map((of) => keyOf(name, of))),
    shard.count,
  );
  const divided = benchmarks.map((benchmark) => ({
    ...benchmark,
    shards: benchmark.configurations.map((of) => shards.get(keyOf(benchmark.name, of)) ?? 0),
  }));
  return {
    plan: { type: 'plan', benchmarks: divided },
    own: planned.map((benchmark, place) => ({
      ...benchmark,
      configurations: benchmark.configurations.filter((_, at) => divided[place]?.shards[at] === shard.index),
    })),
  };
}

function keyOf(benchmark: string, configuration: Configuration): string {
  return caseKey({ benchmark, configuration });
}

/** The shard of each case by its key, from 1. */
function shardsOfCases(keys: readonly string[], count: number): ReadonlyMap<string, number> {
  const digests = keys.map((key) => [hash('sha256', key), key] as const);
  const inTurns = digests.sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(inTurns.map(([, key], at) => [key, (at % count) + 1]));
}

/**
 * Whether a plan must be recorded: in a new session, or if it differs from the recorded plan of a resumed session.
 * @throws UsageError if it differs in a session with shards, which were divided by the recorded plan
 */
export function isNewPlan(plan: PlanRecord, former: Recording | undefined): boolean {
  if (former?.plan === undefined) return true;
  const changed = changedBenchmark(plan, former.plan);
  if (changed === undefined || former.session.request.shard === undefined) return changed !== undefined;
  throw new UsageError(
    'ERR_BENCH_RESUME_MISMATCH',
    `the configurations of ${changed} have changed since the session began, but the shards were divided by them: start new sessions on all machines`,
  );
}
