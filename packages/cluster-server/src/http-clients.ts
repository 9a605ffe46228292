/**
 * A benchmark of HTTP clients: a run is one block of samples of one client, which cronometro takes. Setup
 * starts the cluster server, or asks a running one for its answers.
 *
 * A session orders the client and all options (`ClientOrder`), so that clients can be subjects. Without an
 * order, the client is a parameter, and environment variables set the options; PORT, HOST or SOCKET name a
 * running server.
 *
 * @packageDocumentation
 */
import { randomUUID } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import { type Benchmark, BenchmarkError, createBenchmark } from '@bench-cli/core';
import { UsageError } from '@bench-cli/results';
import { measureClient } from './block/block.ts';
import { importClients, isInstalled, knownClients } from './client/known-clients.ts';
import { orderOf, requestMethods } from './client-options.ts';
import { errorText } from './error-text.ts';
import { type ServerAddress, tagPath, urlOf, usesHttp2 } from './server/address.ts';
import { POST_BYTES } from './server/bodies.ts';
import { type ClusterServer, startClusterServer } from './server/cluster-server.ts';
import { protocols, type ServerProtocol } from './server/server-options.ts';
import { tallyProblem } from './server/tally.ts';
import { examineServer, type TestedServer, tallyOf } from './server/tested-server.ts';

/** What setup tells the runs. A benchmark passes nothing on to them but environment variables. */
type TestedServers = { [Protocol in ServerProtocol]?: TestedServer };
const serversVariable = 'BENCH_CLI_CLIENT_SERVERS';
const environment = process.env;
const order = orderOf(environment);
const { options } = order;

// cronometro loads this script again in its thread.
if (isMainThread) await declare();

/** What cronometro calls in its thread. */
export default async function measure(): Promise<void> {
  const { measureInThread } = await import('./block/thread.ts');
  await measureInThread();
}

async function declare(): Promise<void> {
  const known = knownClients(await importClients(order.config));
  const supports = (name: string, protocol: string) =>
    (known.get(name)?.protocols ?? ['http', 'https']).some((supported) => supported === protocol);
  const installed = [...known.values()].flatMap(({ name, package: needed }) =>
    needed === undefined || isInstalled(needed, process.cwd()) ? [name] : [],
  );
  const parameters = {
    protocol: [options.protocol],
    method: [options.method],
    connections: options.connections,
    pipelining: options.pipelining,
    parallel: options.parallel,
  };
  // These are also the values that arguments may choose.
  const test = { protocol: protocols, method: requestMethods };
  const clients = order.client === undefined ? { client: installed } : {};
  const clientOf = ({ client = order.client ?? '' }: { readonly client?: string }) => client;
  createBenchmark(
    (configuration, bench) => run(clientOf(configuration), configuration, bench),
    { ...clients, ...parameters },
    {
      test: { ...test, ...(order.client === undefined && { client: 'undici - request' }) },
      setup,
      teardown: () => Promise.all(started.map((server) => server.close())),
      combinationFilter: (configuration) => supports(clientOf(configuration), configuration.protocol),
    },
  );
}

type ClientParameters = Pick<
  typeof options,
  'protocol' | 'method' | 'connections' | 'pipelining' | 'parallel'
>;

const started: ClusterServer[] = [];

/** Starts a server for each protocol, and tells the runs about it. */
async function setup(configurations: readonly ClientParameters[]): Promise<void> {
  const servers: TestedServers = {};
  for (const [protocol, members] of Map.groupBy(configurations, (each) => each.protocol)) {
    let address: ServerAddress = { ...options, protocol };
    if (order.serve) {
      // The same Node.js for all subjects.
      const execPath = environment['BENCH_CLI_NODE'] ?? process.execPath;
      const { delayMs, workers } = options;
      const server = await startClusterServer({ protocol, port: 0, delayMs, workers }, { execPath });
      started.push(server);
      address = server;
    }
    servers[protocol] = await examineServer(address, [...new Set(members.map(({ method }) => method))]);
  }
  environment[serversVariable] = JSON.stringify(servers);
}

/** The most simultaneous posts in an HTTP/2 session, which holds 10 MB; undici cannot change this limit. */
const MOST_HTTP2_POSTS = 64;

/** Measures a client, and compares the answers that the client claims with the counts of the server. */
async function run(client: string, configuration: ClientParameters, bench: Benchmark): Promise<void> {
  const { protocol, method, parallel } = configuration;
  const servers: TestedServers = JSON.parse(environment[serversVariable] ?? '{}');
  const server = servers[protocol];
  const expected = server?.answers[method];
  if (server === undefined || expected === undefined) throw new Error(`setup has no server for ${protocol}`);
  if (usesHttp2(protocol) && method === 'POST' && parallel > MOST_HTTP2_POSTS) {
    const message = `PARALLEL must be at most ${MOST_HTTP2_POSTS} for posts over HTTP/2, not ${parallel}, because an HTTP/2 session of Node.js can hold 10 MB`;
    throw new UsageError('ERR_BENCH_OPTION', message);
  }
  const tag = randomUUID();
  const { address, certificate, countsRequests } = server;
  const url = `${urlOf(address)}${countsRequests ? `${tagPath}${tag}` : '/'}`;
  const block = {
    ...{ client, config: order.config, certificate, expected, parallel },
    target: { url, protocol, socketPath: address.socketPath, method },
    settings: { ...options, ...configuration },
    answerTimeoutMs: options.answerTimeoutMs,
  };
  const samples = 'BENCH_CLI_TEST' in environment ? 1 : options.samples;
  const about = { client, ...configuration };
  const measured = measureClient(block, samples, about, order.runMs);
  const { result, answers, warmUp, warmUpMs } = await measured.catch((error: unknown) => {
    throw refused(errorText(error));
  });
  if (countsRequests) {
    const tally = await tallyOf(address, tag);
    const bytes = method === 'POST' ? POST_BYTES : 0;
    const problem =
      tally === undefined
        ? 'the server does not count any more'
        : tallyProblem(tally, { answers, method, bytes });
    if (problem !== undefined) throw refused(problem);
  }
  const { mean, min, max, size, percentiles } = result;
  const percentile = (name: string) => percentiles[name] ?? max;
  bench.report((parallel * 1e9) / mean, BigInt(Math.round(mean * size)), {
    latency: {
      meanNs: mean,
      p50Ns: percentile('50'),
      p75Ns: percentile('75'),
      p90Ns: percentile('90'),
      p99Ns: percentile('99'),
      p999Ns: percentile('99.9'),
      minNs: min,
      maxNs: max,
      samples: size,
      operationsPerSample: 1,
    },
    warmUp: { elapsedMs: warmUpMs, isSteady: warmUp.isSteady },
  });
}

/** Failures of runs are recorded as texts, so the code is a part of it. */
function refused(problem: string): BenchmarkError {
  const code = 'ERR_BENCH_CLIENT_ANSWER';
  return new BenchmarkError(code, `${problem} [${code}]`);
}
