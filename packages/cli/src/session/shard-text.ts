import type { PlanRecord, Shard } from '@bench-cli/results/recording';

/** What part of a plan a shard is, for a person. */
export function shardText({ index, count }: Shard, plan: PlanRecord): string {
  const shards = plan.benchmarks.flatMap((benchmark) => benchmark.shards ?? []);
  const own = shards.filter((shard) => shard === index).length;
  return own === 0
    ? `shard ${index}/${count} has nothing to run: there are ${shards.length} configurations`
    : `shard ${index}/${count} has ${own} of ${shards.length} configurations`;
}
