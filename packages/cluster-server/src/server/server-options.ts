import { availableParallelism } from 'node:os';
import { UsageError } from '@bench-cli/results';
import { settings } from '@bench-cli/results/settings';
import { z } from 'zod';

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

/** A whole number within bounds; it may be a text, from an environment variable or a flag. @internal */
export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number, ${least} to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error });
}

/** An environment variable that sets an option. `read` converts its unit, if the option has another one. */
type OptionVariable<Option> = readonly [variable: string, option: Option, read?: (text: string) => number];

/**
 * Makes the function that completes options: given ones, then environment variables, then defaults. Nothing
 * else reads the variables or converts texts.
 *
 * @param variables those of undici's benchmarks, and further ones; the first that is set counts
 * @internal
 */
export function optionsReader<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape, z.core.$strict>,
  variables: readonly OptionVariable<keyof Shape>[],
) {
  /** @throws UsageError that names the variable of the first invalid option */
  return (
    given: { readonly [Option in keyof Shape]?: unknown } = {},
    environment: Readonly<Record<string, string | undefined>> = {},
  ): z.output<typeof schema> => {
    const isSet = ([variable]: OptionVariable<keyof Shape>) => Boolean(environment[variable]);
    const values = variables
      .filter(isSet)
      .toReversed()
      .map(([variable, option, read = String]) => [option, read(environment[variable] ?? '')] as const);
    const defined = Object.entries(given).filter(([, value]) => value !== undefined);
    const parsed = schema.safeParse(Object.fromEntries([...values, ...defined]));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    const wrong = String(issue?.path[0] ?? '');
    const named = variables.filter(([, option]) => option === wrong);
    const source = given[wrong] === undefined ? named.find(isSet) : undefined;
    const [name = wrong] = source ?? named[0] ?? [];
    const value = given[wrong] ?? (source && environment[name]);
    const found = value === undefined ? '' : `, not ${JSON.stringify(value)}`;
    throw new UsageError('ERR_BENCH_OPTION', `${name} ${issue?.message}${found}`);
  };
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

/** Server options with their defaults. */
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
