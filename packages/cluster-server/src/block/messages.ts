import { z } from 'zod';
import { protocols } from '../protocol.ts';

/** What the process that measures a client is told: some samples of one client, in one round. */
export const blockOrder = z.object({
  client: z.string(),
  /** The config file with the user's clients. */
  config: z.string().optional(),
  /** Packages come from this directory's project first. */
  directory: z.string(),
  target: z.object({
    url: z.string(),
    protocol: z.enum(protocols),
    socketPath: z.string().optional(),
    method: z.enum(['GET', 'POST']),
    postBytes: z.number(),
    certificate: z.string().optional(),
  }),
  expected: z.object({ status: z.number(), bytes: z.number() }),
  settings: z.object({
    connections: z.number(),
    pipelining: z.number(),
    headersTimeoutMs: z.number(),
    bodyTimeoutMs: z.number(),
  }),
  /** Requests of a sample. */
  parallel: z.number(),
  samples: z.number(),
  /** Samples before those that count. */
  warmUp: z.number(),
  answerTimeoutMs: z.number(),
});
export type BlockOrder = z.infer<typeof blockOrder>;
export const blockVariable = 'BENCH_CLI_CLIENT_BLOCK';

/** From the thread that measures to its process. */
export const fromThread = z.object({
  type: z.literal('bench-cli.sample'),
  elapsedNs: z.number(),
  warmUp: z.boolean(),
});
export type FromThread = z.infer<typeof fromThread>;

/** From that process to the one that started it. */
export const fromBlock = z.discriminatedUnion('type', [
  z.object({ type: z.literal('sample'), elapsedNs: z.number(), warmUp: z.boolean() }),
  z.object({ type: z.literal('measured') }),
  z.object({ type: z.literal('failed'), message: z.string() }),
]);
export type FromBlock = z.infer<typeof fromBlock>;
