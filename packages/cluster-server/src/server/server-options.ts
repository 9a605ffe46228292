import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { settingsReader, wholeNumber } from '../setting.ts';

/** The protocols that clients and servers support. */
export const protocols = ['http', 'https', 'http2', 'h2c'] as const;

/** HTTP/1.1 in cleartext or over TLS, HTTP/2 over TLS, or HTTP/2 in cleartext with prior knowledge. */
export type ServerProtocol = (typeof protocols)[number];

/** Where a server listens, and how it answers. */
export interface ServerOptions {
  /** TCP port; 0 for a free one. Variable PORT; default 3030. Ignored with `socketPath`. */
  readonly port?: number;
  /** Address to listen on. Variable HOST; default 127.0.0.1, which other machines cannot reach. */
  readonly host?: string;
  /** A Unix socket to listen on instead of a port; it is removed at the end. Variable SOCKET. */
  readonly socketPath?: string | undefined;
  /** Milliseconds from a request to its answer; 0 answers at once. Variable TIMEOUT; default 1. */
  readonly timeoutMs?: number;
  /** Number of worker processes. Variable WORKERS; default: one per CPU. */
  readonly workers?: number;
  /** Variable PROTOCOL; default `http`. */
  readonly protocol?: ServerProtocol;
}

const schema = z.strictObject({
  port: wholeNumber(0, 65_535).default(3030),
  host: z.string().min(1).default('127.0.0.1'),
  socketPath: z.string().min(1).optional(),
  timeoutMs: wholeNumber(0, 2 ** 31 - 1).default(1),
  workers: wholeNumber(1, 1024).default(() => availableParallelism()),
  protocol: z.enum(protocols, { error: `must be one of ${protocols.join(', ')}` }).default('http'),
});

/** Server options with their defaults. */
export type CompleteServerOptions = Required<Omit<ServerOptions, 'socketPath'>> &
  Pick<ServerOptions, 'socketPath'>;

const { read, variables } = settingsReader(schema);
export const serverVariables: readonly string[] = variables;

/**
 * Options from environment variables, with defaults. Given options, which may be texts, override them.
 *
 * @throws UsageError that names the first invalid option
 */
export const serverOptionsOf: (
  environment: Readonly<Record<string, string | undefined>>,
  given?: { readonly [Name in keyof ServerOptions]?: unknown },
) => CompleteServerOptions = read;
