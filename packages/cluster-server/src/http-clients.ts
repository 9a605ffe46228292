/**
 * A benchmark of HTTP clients: a run is one block of samples of one client, which cronometro takes. Setup starts the cluster
 * server, unless the variables PORT, HOST or SOCKET name a running one. The other variables are those of `ClientSettings`; SAMPLES
 * counts those of a run.
 *
 * With the variable BENCH_CLI_CLIENT a process measures this client, so that clients can be subjects. Otherwise the client is a
 * parameter.
 *
 * @packageDocumentation
 */
import { randomUUID } from 'node:crypto';
import { isMainThread } from 'node:worker_threads';
import { type Benchmark, BenchmarkError, createBenchmark } from '@bench-cli/core';
import { UsageError } from '@bench-cli/results';
import { measureBlock } from './block/block.ts';
import { rememberedWarmUp } from './block/warm-up.ts';
import { importClients, isInstalled, knownClients } from './client/known-clients.ts';
import { clientSettingsOf, clientVariable, configVariable } from './client-settings.ts';
import { errorText } from './error-text.ts';
import { type ServerAddress, tagPath, urlOf, usesHttp2 } from './server/address.ts';
import { POST_BYTES } from './server/bodies.ts';
import { type ClusterServer, startClusterServer } from './server/cluster-server.ts';
import { protocols, type ServerProtocol, serverOptionsOf } from './server/server-options.ts';
import { tallyProblem } from './server/tally.ts';
import { examineServer, methods, type TestedServer, tallyOf } from './server/tested-server.ts';

const serversVariable = 'BENCH_CLI_CLIENT_SERVERS';
const environment = process.env;
const settings = clientSettingsOf(environment);
const ownClient = environment[clientVariable];
const config = environment[configVariable] || undefined;

// cronometro loads this script again in its thread.
if (isMainThread) await declare();

/** What cronometro calls in its thread. */
export default async function measure(): Promise<void> {
  const { measureInThread } = await import('./block/thread.ts');
  await measureInThread();
}

async function declare(): Promise<void> {
  const known = knownClients(await importClients(config));
  const supports = (name: string, protocol: string) =>
    (known.get(name)?.protocols ?? ['http', 'https']).some((it) => it === protocol);
  const installed = [...known.values()].flatMap(({ name, package: needed }) =>
    needed === undefined || isInstalled(needed, process.cwd()) ? [name] : [],
  );
  const parameters = {
    protocol: [serverOptionsOf(environment).protocol],
    method: [settings.method],
    connections: settings.connections,
    pipelining: settings.pipelining,
    parallel: settings.parallel,
  };
  // These are also the values that arguments may choose.
  const test = { protocol: protocols, method: methods };
  const clients = ownClient === undefined ? { client: installed } : {};
  const clientOf = ({ client = ownClient ?? '' }: { readonly client?: string }) => client;
  createBenchmark(
    (configuration, bench) => run(clientOf(configuration), configuration, bench),
    { ...clients, ...parameters },
    {
      test: { ...test, ...(ownClient === undefined && { client: 'undici - request' }) },
      setup,
      teardown,
      combinationFilter: (configuration) => supports(clientOf(configuration), configuration.protocol),
    },
  );
}

interface Request extends Pick<typeof settings, 'method' | 'connections' | 'pipelining' | 'parallel'> {
  readonly protocol: ServerProtocol;
}

const started: ClusterServer[] = [];

/** Starts a server for each protocol, and tells the runs about it. */
async function setup(requests: readonly Request[]): Promise<void> {
  const options = serverOptionsOf(environment);
  const isRunning = ['PORT', 'HOST', 'SOCKET'].some((name) => Boolean(environment[name]));
  const servers: Partial<Record<ServerProtocol, TestedServer>> = {};
  for (const [protocol = 'http', of] of Map.groupBy(requests, (request) => request.protocol)) {
    let address: ServerAddress = { ...options, protocol, socketPath: options.socketPath };
    if (!isRunning) {
      // The same Node.js for all subjects.
      const execPath = environment['BENCH_CLI_NODE'] ?? process.execPath;
      const server = await startClusterServer({ ...options, protocol, port: 0 }, { execPath });
      started.push(server);
      address = server;
    }
    servers[protocol] = await examineServer(address, [...new Set(of.map(({ method }) => method))]);
  }
  environment[serversVariable] = JSON.stringify(servers);
}

async function teardown(): Promise<void> {
  await Promise.all(started.map((server) => server.close()));
}

/** Simultaneous posts in an HTTP/2 session of Node.js, which can hold 10 MB; with undici this limit cannot be changed. */
const MOST_HTTP2_POSTS = 64;

/** Measures a client, and asks the server whether it received and answered as many requests as the client claims answers. */
async function run(client: string, request: Request, bench: Benchmark): Promise<void> {
  const { protocol, method, connections, pipelining, parallel } = request;
  const servers: Partial<Record<ServerProtocol, TestedServer>> = JSON.parse(
    environment[serversVariable] ?? '{}',
  );
  const server = servers[protocol];
  const expected = server?.answers[method];
  if (server === undefined || expected === undefined) throw new Error(`setup has no server for ${protocol}`);
  if (usesHttp2(protocol) && method === 'POST' && parallel > MOST_HTTP2_POSTS)
    throw new UsageError(
      'ERR_BENCH_OPTION',
      `PARALLEL must be at most ${MOST_HTTP2_POSTS} for posts over HTTP/2, not ${parallel}, because an HTTP/2 session of Node.js can hold 10 MB`,
    );
  const tag = randomUUID();
  const samples = 'BENCH_CLI_TEST' in environment ? 1 : settings.samples;
  const remembered = rememberedWarmUp({ client, ...request });
  const { result, answers, warmUp } = await measureBlock(
    {
      client,
      config,
      target: {
        url: `${urlOf(server.address)}${server.countsRequests ? `${tagPath}${tag}` : '/'}`,
        protocol,
        socketPath: server.address.socketPath,
        method,
      },
      certificate: server.certificate,
      expected,
      settings: { ...settings, connections, pipelining },
      parallel,
      samples,
      warmUp: samples === 1 ? 'single' : (remembered.read() ?? 'steady'),
      answerTimeoutMs: settings.answerTimeoutMs,
    },
    // Without a number of samples the runner decides how many runs are enough.
    samples === 'auto' || samples === 1 ? 0 : settings.errorThreshold,
  ).catch((error: unknown) => {
    throw refused(errorText(error));
  });
  if (server.countsRequests) {
    const tally = await tallyOf(server.address, tag);
    const bytes = method === 'POST' ? POST_BYTES : 0;
    const problem =
      tally === undefined
        ? 'the server does not count any more'
        : tallyProblem(tally, { answers, method, bytes });
    if (problem !== undefined) throw refused(problem);
  }
  if (samples !== 1) remembered.write(warmUp);
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
    warmUp: { elapsedMs: warmUp.elapsedMs, isSteady: warmUp.isSteady },
  });
}

/** Failures of runs are recorded as texts, so the code is a part of it. */
function refused(problem: string): BenchmarkError {
  const code = 'ERR_BENCH_CLIENT_ANSWER';
  return new BenchmarkError(code, `${problem} [${code}]`);
}
