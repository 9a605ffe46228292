import { UsageError } from '@bench-cli/results';
import type { Shard } from '@bench-cli/results/recording';

/**
 * Reads `3/8`, the third of eight.
 * @throws UsageError for anything else
 */
export function readShard(text: string): Shard {
  const [, index = 0, count = 0] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index >= 1 && index <= count) return { index, count };
  throw new UsageError(
    'ERR_BENCH_SHARD',
    `--shard ${text} is invalid: write 3/8 for the third of eight shards (they count from 1)`,
  );
}
