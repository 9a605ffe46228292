import { settings } from '@bench-cli/results/settings';
import { z } from 'zod';
import {
  type CompleteServerOptions,
  optionsReader,
  type ServerOptions,
  serverFields,
  serverVariables,
  wholeNumber,
} from './server/server-options.ts';

/**
 * How clients are compared, and with which server: a running one, or one that is started. Each option has an
 * environment variable, with the name of undici's benchmarks if they have it.
 */
export interface ClientOptions extends ServerOptions {
  /**
   * Samples per client, each of `parallel` requests, from 8 on rounded up to a multiple of 8; `auto` takes
   * samples until all pairs of clients are decided. Variable SAMPLES; default 1, which yields no tolerance.
   */
  readonly samples?: number | 'auto';
  /**
   * The smallest difference of clients that matters, a fraction. Variable ERROR_THRESHOLD or ERROR_TRESHOLD,
   * per cent; default 0.03; 0 is never reached.
   */
  readonly margin?: number;
  /** Maximum number of connections per client. Variable CONNECTIONS; default 50. */
  readonly connections?: number;
  /** Pending requests per connection, if the client supports that. Variable PIPELINING; default 10. */
  readonly pipelining?: number;
  /** Requests per sample, all sent at once. Variable PARALLEL; default 100. */
  readonly parallel?: number;
  /** Time limit of undici for headers, milliseconds. Variable HEADERS_TIMEOUT; default 0, no limit. */
  readonly headersTimeoutMs?: number;
  /** Time limit of undici for the next part of a body, ms. Variable BODY_TIMEOUT; default 0, no limit. */
  readonly bodyTimeoutMs?: number;
  /** Time limit for all answers of a sample, milliseconds. Variable ANSWER_TIMEOUT; default 30000. */
  readonly answerTimeoutMs?: number;
  /** Milliseconds after which `auto` starts no further run. Variable TIME_LIMIT, seconds; default 600000. */
  readonly budgetMs?: number;
  /** The method; a POST sends 128 KiB. Variable METHOD; default GET. */
  readonly method?: RequestMethod;
}

/** The methods of clients; a POST sends 128 KiB. */
export const requestMethods = ['GET', 'POST'] as const;

export type RequestMethod = (typeof requestMethods)[number];

const fraction = { error: 'must be a percentage, 0 to 100' };
const { samples, margin, connections, pipelining, parallel, budgetMs, method } = settings;

/** @internal */
export const clientOptionsSchema = z.strictObject({
  ...serverFields,
  samples: z
    .union([z.literal('auto'), wholeNumber(1, 1_000_000)], {
      error: 'must be a whole number, 1 to 1000000, or auto',
    })
    .default(samples.default),
  margin: z.number(fraction).min(0, fraction).max(1, fraction).default(margin.default['http clients']),
  connections: wholeNumber(1, 1_000_000).default(connections.default['http clients']),
  pipelining: wholeNumber(1, 1_000_000).default(pipelining.default['http clients']),
  parallel: wholeNumber(1, 1_000_000).default(parallel.default),
  headersTimeoutMs: wholeNumber(0, 2 ** 31 - 1).default(0),
  bodyTimeoutMs: wholeNumber(0, 2 ** 31 - 1).default(0),
  answerTimeoutMs: wholeNumber(1, 2 ** 30).default(30_000),
  budgetMs: wholeNumber(1, 2 ** 31 - 1).default(budgetMs.default['http clients']),
  method: z.enum(requestMethods, { error: 'must be GET or POST' }).default(method.default),
});

export type CompleteClientOptions = Required<Omit<ClientOptions, 'socketPath'>> &
  Pick<CompleteServerOptions, 'socketPath'>;

/**
 * Completes options by environment variables and defaults. Given options may be texts.
 *
 * @throws UsageError that names the first invalid option
 */
export const clientOptionsOf: (
  given?: { readonly [Name in keyof ClientOptions]?: unknown },
  environment?: Readonly<Record<string, string | undefined>>,
) => CompleteClientOptions = optionsReader(clientOptionsSchema, [
  ...serverVariables,
  ['SAMPLES', 'samples'],
  ['ERROR_THRESHOLD', 'margin', (percent) => Number(percent) / 100],
  ['ERROR_TRESHOLD', 'margin', (percent) => Number(percent) / 100],
  ['CONNECTIONS', 'connections'],
  ['PIPELINING', 'pipelining'],
  ['PARALLEL', 'parallel'],
  ['HEADERS_TIMEOUT', 'headersTimeoutMs'],
  ['BODY_TIMEOUT', 'bodyTimeoutMs'],
  ['ANSWER_TIMEOUT', 'answerTimeoutMs'],
  ['TIME_LIMIT', 'budgetMs', (seconds) => Number(seconds) * 1000],
  ['METHOD', 'method'],
]);

/**
 * What a session tells the processes of its benchmark.
 *
 * @internal
 */
export interface ClientOrder {
  /** The client that a process measures; undefined if the clients are a parameter. */
  readonly client?: string | undefined;
  /** The config file with the user's clients. */
  readonly config?: string | undefined;
  /** Whether setup starts the server. */
  readonly serve: boolean;
  /** How long a run may take, milliseconds, so that the time suffices for a verdict. */
  readonly runMs?: number | undefined;
  readonly options: CompleteClientOptions;
}

const ORDER = 'BENCH_CLI_CLIENT';

/**
 * The variable of a subject that tells its processes the order: they receive nothing else of the session.
 *
 * @internal
 */
export function variableOf(order: ClientOrder): Readonly<Record<string, string>> {
  return { [ORDER]: JSON.stringify(order) };
}

/**
 * The order of this process; without a session, it is that of the user's environment variables.
 *
 * @internal
 */
export function orderOf(environment: Readonly<Record<string, string | undefined>>): ClientOrder {
  const text = environment[ORDER];
  if (text !== undefined) return JSON.parse(text);
  return { serve: !namesServer({}, environment), options: clientOptionsOf({}, environment) };
}

/** Whether options or environment variables name a server, so that none is started. */
export function namesServer(
  { port, host, socketPath }: { readonly [Name in 'port' | 'host' | 'socketPath']?: unknown } = {},
  environment: Readonly<Record<string, string | undefined>> = {},
): boolean {
  const variables = ['PORT', 'HOST', 'SOCKET'].map((name) => environment[name] || undefined);
  return [port, host, socketPath, ...variables].some((value) => value !== undefined);
}
