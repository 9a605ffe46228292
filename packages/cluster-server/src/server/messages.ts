import type { Certificate } from './certificate.ts';
import type { CompleteServerOptions } from './server-options.ts';

/** The order to the primary process and its workers, in their environment. */
export interface PrimaryOrder {
  readonly options: CompleteServerOptions;
  readonly certificate: Certificate | undefined;
}
export const primaryVariable = 'BENCH_CLI_CLUSTER_SERVER';

/** The number of requests that a worker has received so far. */
export interface WorkerCount {
  readonly pid: number;
  readonly requests: number;
}

/** How a worker ended, and the worker that replaced it. */
export interface WorkerDeath {
  readonly pid: number;
  /** The signal or the exit code. */
  readonly cause: string;
  /** Process id of the new worker. */
  readonly replacedBy: number;
}

/** Messages from the primary process to the process that started it. */
export type FromPrimary =
  | { readonly type: 'ready'; readonly pids: readonly number[] }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'died'; readonly death: WorkerDeath }
  /** The answer to a question, or without an id the last counts. */
  | { readonly type: 'counts'; readonly id?: number; readonly counts: readonly WorkerCount[] };

/** Messages to the primary process. */
export type ToPrimary = { readonly type: 'count'; readonly id: number } | { readonly type: 'close' };

/** Messages from a worker to the primary process. */
export type FromWorker =
  | { readonly type: 'listening' }
  | { readonly type: 'failed'; readonly message: string }
  /** The number of all requests, and of those with the requested tag. */
  | { readonly type: 'count'; readonly id: number; readonly requests: number; readonly tagged: number }
  | { readonly type: 'pulse'; readonly requests: number }
  /** A client has asked how many requests with a tag all workers have received. */
  | { readonly type: 'tally'; readonly id: number; readonly tag: string };

/** Messages to a worker. */
export type ToWorker =
  | { readonly type: 'count'; readonly id: number; readonly tag: string | undefined }
  | { readonly type: 'tally'; readonly id: number; readonly requests: number }
  | { readonly type: 'close' };
