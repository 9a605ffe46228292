import type { Shard } from '@bench-cli/results/recording';
import { UsageError } from '@bench-cli/results';
import { shardFromVariables, type Variables } from './shard-variables.ts';

/**
 * Reads `3/8` (the third of eight), `auto` (what the variables of a CI system or scheduler say), or `auto/8` (they say
 * which, of eight).
 * @throws UsageError for anything else, and for variables that say nothing or nonsense
 */
export function readShard(text: string, variables: Variables): Shard {
  const [, which, of] = /^(auto|\d{1,6})(?:\/(\d{1,6}))?$/.exec(text) ?? [];
  if (which === undefined || (which !== 'auto' && of === undefined)) {
    throw new UsageError('ERR_BENCH_SHARD', 
      `--shard ${text}: it takes the form 3/8 (the third of eight), or auto, or auto/8 where only the index is in the environment`,
    );
  }
  const count = of === undefined ? undefined : Number(of);
  if (count === 0) throw new UsageError('ERR_BENCH_SHARD', `--shard ${text}: there must be at least one shard`);
  if (which === 'auto' || count === undefined) return shardFromVariables(variables, count);
  const index = Number(which);
  if (index < 1 || index > count) {
    throw new UsageError('ERR_BENCH_SHARD', 
      `--shard ${text}: shards count from 1, so there are 1/${count} to ${count}/${count}`,
    );
  }
  return { index, count };
}
