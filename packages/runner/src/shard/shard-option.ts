import { UsageError } from '@bench-cli/results';
import type { Shard } from '@bench-cli/results/recording';
import { shardFromVariables, type Variables } from './shard-variables.ts';

/**
 * Reads `3/8` (the third of eight), `auto` (from the variables of a CI system or scheduler), or `auto/8` (the variables
 * contain only the index).
 * @throws UsageError for anything else, and for missing or invalid variables
 */
export function readShard(text: string, variables: Variables): Shard {
  const [, which, of] = /^(auto|\d{1,6})(?:\/(\d{1,6}))?$/.exec(text) ?? [];
  const count = of === undefined ? undefined : Number(of);
  if (which === 'auto' && count !== 0) return shardFromVariables(variables, count);
  const index = Number(which);
  if (count !== undefined && index >= 1 && index <= count) return { index, count };
  throw new UsageError(
    'ERR_BENCH_SHARD',
    `--shard ${text} is invalid: write 3/8 for the third of eight shards (they count from 1), auto, or auto/8 if the environment contains only the index`,
  );
}
