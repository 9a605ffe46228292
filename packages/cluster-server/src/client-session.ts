import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { calledCommand, UsageError } from '@bench-cli/results';
import { findConfigFile } from '@bench-cli/results/settings';
import type { AdaptiveOptions, NamedSubject } from '@bench-cli/runner';
import { LEAST_RUN_MS } from './block/client-warm-up.ts';
import type { HttpClient } from './client/http-client.ts';
import { isInstalled, knownClients, loadClients } from './client/known-clients.ts';
import {
  type ClientOptions,
  type CompleteClientOptions,
  clientOptionsOf,
  namesServer,
  variableOf,
} from './client-options.ts';
import { serverPlace } from './server/address.ts';
import { examineServer } from './server/tested-server.ts';

export interface ClientRequest {
  /** Names of clients. Default: all that support the protocol. */
  readonly clients?: readonly string[];
  /** The options, which may be texts. */
  readonly options?: { readonly [Name in keyof ClientOptions]?: unknown };
  /** The environment variables of options that are not given. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** A config file with clients. Default: the nearest `bench-cli.config.ts` in `directory` or above it. */
  readonly config?: string | undefined;
  /** Where packages of clients and the config file are searched. Default: the working directory. */
  readonly directory?: string;
}

/** A session that compares clients: each is a subject of one benchmark. */
export interface ClientSession {
  /** In the order of the clients. One client alone has nothing to be compared with. */
  readonly subjects: readonly NamedSubject[];
  /** The benchmark, and the directory that its name is relative to. */
  readonly file: string;
  readonly suite: string;
  readonly runs: number | AdaptiveOptions;
  /** What the user should know. */
  readonly warnings: readonly string[];
}

const file = fileURLToPath(new URL(`./http-clients.${import.meta.url.slice(-2)}`, import.meta.url));

/**
 * Prepares a session that compares HTTP clients, for `createRequest` of `@bench-cli/runner`. It asks a server
 * that the options name; otherwise the session starts one.
 *
 * @throws UsageError for invalid options, unknown clients, and a server that does not answer
 */
export async function clientSession(request: ClientRequest): Promise<ClientSession> {
  const { directory = process.cwd() } = request;
  const serve = !namesServer(request.options, request.environment);
  const complete = clientOptionsOf(request.options, request.environment);
  const config = request.config ?? findConfigFile(directory);
  const { chosen, warnings } = await chooseClients(request, complete, serve, config, directory);
  if (!serve) {
    const { countsRequests } = await examineServer(complete, [complete.method]);
    if (!countsRequests)
      warnings.push(
        `${serverPlace(complete)} does not count requests, so invented answers of a client cannot be detected; ${calledCommand(['http', 'server'])} counts them`,
      );
  }
  const { runs, samples } = runsOf(complete);
  const budget = request.options?.budgetMs ?? request.environment?.['TIME_LIMIT'];
  if (samples !== 'auto' && budget !== undefined) {
    const problem =
      '--budget (TIME_LIMIT) acts only with --samples auto (SAMPLES): add it, or leave the time out';
    throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem);
  }
  const runMs = samples === 'auto' ? runTime(complete.budgetMs / chosen.length) : undefined;
  if (runMs !== undefined && runMs < LEAST_RUN_MS) {
    const least = Math.ceil((LEAST_CLIENT_MS * chosen.length) / 1000);
    warnings.push(
      `the time of ${complete.budgetMs / 1000} s cannot suffice for the ${AUTO_ROUNDS} rounds of a verdict, so clients warm up for less time: set --budget ${least}s or more, or name fewer clients`,
    );
  }
  const order = {
    ...{ serve, options: { ...complete, samples }, runMs },
    ...(config !== undefined && { config }),
  };
  return {
    subjects: chosen.map(({ name }) => ({ name, request: { env: variableOf({ ...order, client: name }) } })),
    file,
    suite: dirname(file),
    runs,
    warnings,
  };
}

/** The samples of a client are spread over as many rounds, if there are enough: a verdict needs eight. */
const ROUNDS = 8;
/** If the time decides their number, a difference needs 9 rounds, and 10 if only half of the pairs differ. */
const AUTO_ROUNDS = 10;
/** How long a process searches for the warm-up of its client at most, and how long it starts; both in ms. */
const FIRST_MS = 8000;
const START_MS = 800;
const LEAST_CLIENT_MS = FIRST_MS + AUTO_ROUNDS * (START_MS + LEAST_RUN_MS);

/** The time of each of the runs of a client for a verdict, if all take a time, milliseconds. */
function runTime(clientMs: number): number {
  return clientMs < LEAST_CLIENT_MS
    ? (LEAST_RUN_MS * clientMs) / LEAST_CLIENT_MS
    : (clientMs - FIRST_MS) / AUTO_ROUNDS - START_MS;
}

/** The runs of each client, and the samples of each run. From eight runs on, pairs in each round decide. */
function runsOf({ samples, margin, budgetMs }: CompleteClientOptions) {
  // A margin of 0 is never reached.
  const adaptive = { margin: Math.max(margin, 1e-6), allPairs: true };
  if (samples === 'auto') return { runs: { ...adaptive, budgetMs }, samples };
  if (samples < ROUNDS) return { runs: samples, samples: 1 };
  return { runs: { ...adaptive, maxRuns: ROUNDS }, samples: Math.ceil(samples / ROUNDS) };
}

async function chooseClients(
  { clients: wanted = [], environment = {} }: ClientRequest,
  { protocol, socketPath }: CompleteClientOptions,
  serve: boolean,
  config: string | undefined,
  directory: string,
): Promise<{ readonly chosen: readonly HttpClient[]; readonly warnings: string[] }> {
  const byName = knownClients(config === undefined ? [] : await loadClients(config, environment));
  const unknown = wanted.find((name) => !byName.has(name));
  if (unknown !== undefined) {
    const problem = `unknown client "${unknown}"; known: ${[...byName.keys()].map((name) => `"${name}"`).join(', ')}`;
    throw new UsageError('ERR_BENCH_UNKNOWN_CLIENT', problem);
  }
  const chosen: HttpClient[] = [];
  const warnings: string[] = [];
  for (const client of byName.values()) {
    const { name, protocols = ['http', 'https'], package: needed, source = needed } = client;
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const skip = (reason: string) => warnings.push(`${name} is not measured: ${reason}`);
    if (!protocols.includes(protocol)) {
      // Without a name, only the clients for the protocol are wanted.
      if (wanted.includes(name)) skip(`it does not support ${protocol}`);
    } else if (!serve && socketPath !== undefined && client.unixSocket !== true)
      skip('it does not support Unix sockets');
    else if (needed !== undefined && !isInstalled(needed, directory))
      skip(`${needed} is not installed: npm install ${source}`);
    else chosen.push(client);
  }
  if (chosen.length === 0)
    throw new UsageError('ERR_BENCH_NO_CLIENT', `there is no client to measure: ${warnings.join('; ')}`);
  return { chosen, warnings };
}
