import { changedBenchmark } from '@bench-cli/results/recording';
import type { PlanRecord, SessionRequest, Recording } from '@bench-cli/results/recording';
import { UsageError, caseKey } from '@bench-cli/results';
import { isDeepStrictEqual } from 'node:util';
import { estimateCosts } from './cost.ts';
import { partition } from './partition.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';

/** What a session executes, and what of it is executed here. */
export interface Division {
  readonly plan: PlanRecord;
  readonly own: readonly PlannedBenchmark[];
}

/**
 * Divides planned benchmarks by configuration, all subjects of one together, so that what is compared is measured on one
 * machine. A session that is no shard executes all of it.
 */
export function divide(planned: readonly PlannedBenchmark[], shard: SessionRequest['shard']): Division {
  const benchmarks = planned.map(({ file: { name }, configurations }) => ({
    name,
    configurations: [...configurations],
  }));
  if (shard === undefined) return { plan: { type: 'plan', benchmarks }, own: planned };
  const all = benchmarks.flatMap(({ name: benchmark, configurations }) =>
    configurations.map((configuration) => ({ benchmark, configuration })),
  );
  const costs = estimateCosts(all, shard.costs ?? []);
  const shards = partition(
    all.map((each, at) => ({ key: caseKey(each), cost: costs[at] ?? 0 })),
    shard.count,
  );
  let end = 0;
  const divided = benchmarks.map((benchmark) => {
    const start = end;
    end += benchmark.configurations.length;
    return { ...benchmark, shards: shards.slice(start, end) };
  });
  return {
    plan: { type: 'plan', benchmarks: divided },
    own: planned.map((benchmark, place) => ({
      ...benchmark,
      configurations: benchmark.configurations.filter((_, at) => divided[place]?.shards[at] === shard.index),
    })),
  };
}

/**
 * Whether a plan is to be recorded, because the former part of the session, if there is one, has not recorded the same.
 * @throws UsageError when that was another plan, by which the work was divided among shards
 */
export function isNewPlan(plan: PlanRecord, former: Recording | undefined): boolean {
  if (former?.plan === undefined) return true;
  const changed = changedBenchmark(plan, former.plan);
  if (changed === undefined || former.session.request.shard === undefined) return changed !== undefined;
  throw new UsageError('ERR_BENCH_SHARD', 
    `${changed} has other configurations than when the session began, and by those the shards were divided; begin new sessions on all machines`,
  );
}
