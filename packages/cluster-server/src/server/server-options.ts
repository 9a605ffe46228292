import { availableParallelism } from 'node:os';
import type { Protocol } from '@bench-cli/core';
import { z } from 'zod';
import { settingsReader, wholeNumber } from '../setting.ts';

/** The protocols that clients and servers support. */
export const protocols = ['http', 'https', 'http2'] as const satisfies readonly Protocol[];

const schema = z.strictObject({
  /** TCP port; 0 for a free one. Variable PORT; default 3030. Ignored with `socketPath`. */
  port: wholeNumber(0, 65_535).default(3030),
  /** Address to listen on. Variable HOST; default 127.0.0.1, which other machines cannot reach. */
  host: z.string().min(1).default('127.0.0.1'),
  /** A Unix socket to listen on instead of a port; it is removed at the end. Variable SOCKET. */
  socketPath: z.string().min(1).optional(),
  /** Milliseconds from a request to its answer; 0 answers at once. Variable TIMEOUT; default 1. */
  timeoutMs: wholeNumber(0, 2 ** 31 - 1).default(1),
  /** Number of worker processes. Variable WORKERS; default: one per CPU. */
  workers: wholeNumber(1, 1024).default(() => availableParallelism()),
  /** HTTP/1.1, HTTP/1.1 over TLS, or HTTP/2 over TLS. Variable PROTOCOL; default `http`. */
  protocol: z.enum(protocols, { error: `must be one of ${protocols.join(', ')}` }).default('http'),
});

/** Server options with their defaults. */
export type CompleteServerOptions = Readonly<z.output<typeof schema>>;

/** Where a server listens, and how it answers. */
export type ServerOptions = Partial<CompleteServerOptions>;

/**
 * Options from environment variables, with defaults. Given options, which may be texts, override them.
 *
 * @throws UsageError that names the first invalid option
 */
export const { read: serverOptionsOf, variables: serverVariables } = settingsReader(schema);
