import { z } from 'zod';
import type { CompleteServerOptions } from './server-options.ts';

const workerCount = z.object({ pid: z.number(), requests: z.number() });
const workerDeath = z.object({ pid: z.number(), cause: z.string(), replacedBy: z.number() });

/** The order to the primary process, in its environment. */
export const primaryOrder = z.object({
  // The process that gives the order has validated them.
  options: z.custom<CompleteServerOptions>(),
  certificate: z.object({ key: z.string(), cert: z.string() }).optional(),
});
export type PrimaryOrder = z.infer<typeof primaryOrder>;
export const primaryVariable = 'BENCH_CLI_CLUSTER_SERVER';

/** Messages from the primary process to the process that started it. */
export const fromPrimary = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), port: z.number(), pids: z.array(z.number()) }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('died'), death: workerDeath }),
  z.object({ type: z.literal('counts'), id: z.number(), counts: z.array(workerCount) }),
  z.object({ type: z.literal('closed'), counts: z.array(workerCount) }),
]);
export type FromPrimary = z.infer<typeof fromPrimary>;

/** Messages to the primary process. */
export const toPrimary = z.discriminatedUnion('type', [
  z.object({ type: z.literal('count'), id: z.number() }),
  z.object({ type: z.literal('close') }),
]);
export type ToPrimary = z.infer<typeof toPrimary>;

/** Messages from a worker to the primary process. */
export const fromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), port: z.number() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  /** The number of all requests, and of those with the requested tag. */
  z.object({ type: z.literal('count'), id: z.number(), requests: z.number(), tagged: z.number() }),
  z.object({ type: z.literal('pulse'), requests: z.number() }),
  /** A client has asked how many requests with a tag all workers have received. */
  z.object({ type: z.literal('tally'), id: z.number(), tag: z.string() }),
]);
export type FromWorker = z.infer<typeof fromWorker>;

/** Messages to a worker. */
export const toWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('count'), id: z.number(), tag: z.string().optional() }),
  z.object({ type: z.literal('tally'), id: z.number(), requests: z.number() }),
  z.object({ type: z.literal('close') }),
]);
export type ToWorker = z.infer<typeof toWorker>;
