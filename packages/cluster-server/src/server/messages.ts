import { z } from 'zod';
import { serverOptionsSchema } from './server-options.ts';

/** The number of requests that a worker has received so far. */
const workerCount = z.object({ pid: z.number(), requests: z.number() });
export type WorkerCount = Readonly<z.infer<typeof workerCount>>;

/** How a worker ended, and the worker that replaced it. */
const workerDeath = z.object({
  pid: z.number(),
  /** The signal or the exit code. */
  cause: z.string(),
  /** Process id of the new worker. */
  replacedBy: z.number(),
});
export type WorkerDeath = Readonly<z.infer<typeof workerDeath>>;

/** The order to the primary process, in its environment. */
export const primaryOrder = z.object({
  options: serverOptionsSchema,
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
