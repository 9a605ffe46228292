import { availableParallelism } from 'node:os';
import { settings } from '@bench-cli/results/settings';
import { z } from 'zod';
import { type OptionVariable, optionsReader, wholeNumber } from '../options-reader.ts';

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
  readonly delayMs?: number;
  /** Number of worker processes. Variable WORKERS; default: one per CPU. */
  readonly workers?: number;
  /** Variable PROTOCOL; default `http`. */
  readonly protocol?: ServerProtocol;
}

const { port, host, delayMs, protocol } = settings;

/** @internal */
export const serverFields = {
  port: wholeNumber(0, 65_535).default(port.default),
  host: z.string().min(1).default(host.default),
  socketPath: z.string().min(1).optional(),
  delayMs: wholeNumber(0, 2 ** 31 - 1).default(delayMs.default),
  workers: wholeNumber(1, 1024).default(() => availableParallelism()),
  protocol: z
    .enum(protocols, { error: `must be one of ${protocols.join(', ')}` })
    .default(protocol.default['http server']),
};

export const serverVariables: readonly OptionVariable<keyof ServerOptions>[] = [
  ['PORT', 'port'],
  ['HOST', 'host'],
  ['SOCKET', 'socketPath'],
  ['TIMEOUT', 'delayMs'],
  ['WORKERS', 'workers'],
  ['PROTOCOL', 'protocol'],
];

export type CompleteServerOptions = Required<Omit<ServerOptions, 'socketPath'>> &
  Pick<ServerOptions, 'socketPath'>;

/**
 * Completes server options by environment variables and defaults. Given options may be texts.
 *
 * @throws UsageError that names the first invalid option
 */
export const serverOptionsOf: (
  given?: { readonly [Name in keyof ServerOptions]?: unknown },
  environment?: Readonly<Record<string, string | undefined>>,
) => CompleteServerOptions = optionsReader(z.strictObject(serverFields), serverVariables);
