import { availableParallelism } from 'node:os';
import { z } from 'zod';
import { protocols } from '../protocol.ts';
import { fromEnvironment, givenOnly, parseSettings, wholeNumber } from '../setting.ts';

/** Where a server listens, and how it answers. */
export interface ServerOptions {
  /** TCP port; 0 for a free one. Variable PORT; default 3030. Has no meaning with `socketPath`. */
  readonly port?: number;
  /** Address to listen on. Variable HOST; default 127.0.0.1: other machines cannot reach it. */
  readonly host?: string;
  /** A Unix socket to listen on instead of a port; the file is removed in the end. Variable SOCKET. */
  readonly socketPath?: string | undefined;
  /** Milliseconds from a request to its answer; 0 answers at once. Variable TIMEOUT; default 1. */
  readonly timeoutMs?: number;
  /** Processes that answer. Variable WORKERS; default: the parallelism of the machine. */
  readonly workers?: number;
  /** HTTP/1.1, HTTP/1.1 over TLS, or HTTP/2 over TLS. Variable PROTOCOL; default `http`. */
  readonly protocol?: (typeof protocols)[number];
}

const schema = z.strictObject({
  port: wholeNumber(0, 65_535).default(3030),
  host: z.string().min(1).default('127.0.0.1'),
  socketPath: z.string().min(1).optional(),
  timeoutMs: wholeNumber(0, 2 ** 31 - 1).default(1),
  workers: wholeNumber(1, 1024).default(() => availableParallelism()),
  protocol: z.enum(protocols, { error: `takes one of ${protocols.join(', ')}` }).default('http'),
});

/** Server options, complete. */
export type CompleteServerOptions = z.output<typeof schema>;

/** The options as a process that is started gets them. */
export const completeServerOptionsSchema = schema;

const variables = {
  port: ['PORT'],
  host: ['HOST'],
  socketPath: ['SOCKET'],
  timeoutMs: ['TIMEOUT'],
  workers: ['WORKERS'],
  protocol: ['PROTOCOL'],
};

const names: Readonly<Record<string, string>> = {
  port: 'the port (PORT)',
  host: 'the host (HOST)',
  socketPath: 'the socket (SOCKET)',
  timeoutMs: 'the delay of answers in ms (TIMEOUT)',
  workers: 'the number of workers (WORKERS)',
  protocol: 'the protocol (PROTOCOL)',
};

/**
 * Options with their defaults.
 *
 * @throws UsageError that names a wrong one
 */
export function completeServerOptions(options: ServerOptions): CompleteServerOptions {
  return parse(givenOnly(options));
}

function parse(values: Readonly<Record<string, unknown>>): CompleteServerOptions {
  return parseSettings(schema, values, (name) => names[name] ?? `server option ${name}`);
}

/**
 * What the environment says; given options, which may be texts, go before it.
 *
 * @throws UsageError that names a wrong one
 */
export function serverOptionsOf(
  environment: Readonly<Record<string, string | undefined>>,
  given: { readonly [Name in keyof ServerOptions]?: unknown } = {},
): CompleteServerOptions {
  return parse({ ...fromEnvironment(environment, variables), ...givenOnly(given) });
}
