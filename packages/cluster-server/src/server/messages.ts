import { z } from 'zod';
import { completeServerOptionsSchema } from './server-options.ts';

/** Requests that a worker has answered so far. */
const workerCount = z.object({ pid: z.number(), requests: z.number() });
export type WorkerCount = Readonly<z.infer<typeof workerCount>>;

/** How a worker ended, and who took its place. */
const workerDeath = z.object({
  pid: z.number(),
  /** The signal that ended it, or the exit code. */
  cause: z.string(),
  /** Process id of the worker that took its place. */
  replacedBy: z.number(),
});
export type WorkerDeath = Readonly<z.infer<typeof workerDeath>>;

/** What the process that holds the workers is told in its environment. */
export const primaryOrder = z.object({
  options: completeServerOptionsSchema,
  certificate: z.object({ key: z.string(), cert: z.string() }).optional(),
});
export type PrimaryOrder = z.infer<typeof primaryOrder>;
export const primaryVariable = 'BENCH_CLI_CLUSTER_SERVER';

/** From that process to the one that started it. */
export const fromPrimary = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), port: z.number(), pids: z.array(z.number()) }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  z.object({ type: z.literal('died'), death: workerDeath }),
  z.object({ type: z.literal('counts'), id: z.number(), counts: z.array(workerCount) }),
  z.object({ type: z.literal('closed'), counts: z.array(workerCount) }),
]);
export type FromPrimary = z.infer<typeof fromPrimary>;

/** And back. */
export const toPrimary = z.discriminatedUnion('type', [
  z.object({ type: z.literal('count'), id: z.number() }),
  z.object({ type: z.literal('close') }),
]);
export type ToPrimary = z.infer<typeof toPrimary>;

/** From a worker to the process that holds it. */
export const fromWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('listening'), port: z.number() }),
  z.object({ type: z.literal('failed'), message: z.string() }),
  /** `requests` of all, and of those with the tag that was asked for. */
  z.object({ type: z.literal('count'), id: z.number(), requests: z.number(), tagged: z.number() }),
  z.object({ type: z.literal('pulse'), requests: z.number() }),
  /** Somebody asks how often a tag was requested, at all workers. */
  z.object({ type: z.literal('tally'), id: z.number(), tag: z.string() }),
]);
export type FromWorker = z.infer<typeof fromWorker>;

/** And back. */
export const toWorker = z.discriminatedUnion('type', [
  z.object({ type: z.literal('count'), id: z.number(), tag: z.string().optional() }),
  z.object({ type: z.literal('tally'), id: z.number(), requests: z.number() }),
  z.object({ type: z.literal('close') }),
]);
export type ToWorker = z.infer<typeof toWorker>;
