import { UsageError } from '@bench-cli/results';
import {
  changedBenchmark,
  type PlanRecord,
  type Recording,
  type SessionRequest,
} from '@bench-cli/results/recording';
import type { PlannedBenchmark } from './plan.ts';

/**
 * Deals cases to shards in turn, with all subjects of a case in one, so that one machine compares them.
 * @returns the plan of the session, and the part of it that is executed here
 */
export function divide(planned: readonly PlannedBenchmark[], shard: SessionRequest['shard']) {
  const benchmarks = planned.map(({ name, configurations, isNew, scripts, skipped }) => ({
    name,
    configurations: [...configurations],
    ...(skipped !== undefined && { skipped }),
    ...(isNew && { onlyUnder: [...scripts.keys()] }),
  }));
  const plan = { type: 'plan', benchmarks } as const;
  if (shard === undefined) return { plan, measured: planned };
  let dealt = 0;
  const divided = benchmarks.map((benchmark) => ({
    ...benchmark,
    shards: benchmark.configurations.map(() => (dealt++ % shard.count) + 1),
  }));
  return {
    plan: { ...plan, benchmarks: divided },
    measured: planned.map((benchmark, place) => ({
      ...benchmark,
      configurations: benchmark.configurations.filter((_, at) => divided[place]?.shards[at] === shard.index),
    })),
  };
}

/** Whether a plan must be recorded. @throws UsageError if a resumed shard has another plan than recorded */
export function isNewPlan(plan: PlanRecord, former: Recording | undefined): boolean {
  if (former?.plan === undefined) return true;
  const changed = changedBenchmark(plan, former.plan);
  if (changed === undefined || former.session.request.shard === undefined) return changed !== undefined;
  const problem = `the cases of ${changed} have changed since the session began, but the shards were divided by them: start new sessions on all machines`;
  throw new UsageError('ERR_BENCH_RESUME_MISMATCH', problem);
}
