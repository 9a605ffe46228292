import type { Certificate } from './certificate.ts';
import type { CompleteServerOptions } from './server-options.ts';

/** Messages to a worker. */
export type ToWorker =
  /** The first message: how to answer. */
  | {
      readonly type: 'order';
      readonly options: CompleteServerOptions;
      readonly certificate: Certificate | undefined;
    }
  /** Comes with the connection. */
  | { readonly type: 'connection' }
  | { readonly type: 'count'; readonly tag: string | undefined }
  | { readonly type: 'tally'; readonly id: number; readonly requests: number };

/** Messages from a worker. */
export type FromWorker =
  | { readonly type: 'ready' }
  /** The number of all requests, and of those with the requested tag. */
  | { readonly type: 'count'; readonly requests: number; readonly tagged: number }
  | { readonly type: 'pulse'; readonly requests: number }
  /** A client has asked how many requests with a tag all workers have received. */
  | { readonly type: 'tally'; readonly id: number; readonly tag: string };
