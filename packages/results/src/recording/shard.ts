import { z } from 'zod';
import { configurationSchema } from '@bench-cli/runner';

/** How long a configuration took when it was measured before. */
export const costSchema = z.object({
  benchmark: z.string(),
  configuration: configurationSchema,
  /** Wall time of all its runs together, whole milliseconds. */
  durationMs: z.int().nonnegative(),
});

export type Cost = z.infer<typeof costSchema>;

/** One part of a session that several machines share. */
export const shardSchema = z.object({
  /** Counts from 1. */
  index: z.int().positive(),
  /** How many there are. */
  count: z.int().positive(),
  /** What the work is divided by, if it is known. All shards must have the same, to come to the same division. */
  costs: z.array(costSchema).optional(),
});

/** Which part this is, of how many. */
export type Shard = Pick<z.infer<typeof shardSchema>, 'index' | 'count'>;
