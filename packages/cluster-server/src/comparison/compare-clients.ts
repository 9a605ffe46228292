import { randomUUID } from 'node:crypto';
import { UsageError } from '@bench-cli/results';
import { type BlockOutcome, type MeasureBlock, measureBlock } from '../block/block.ts';
import type { BlockOrder } from '../block/messages.ts';
import type { ExpectedAnswer } from '../client/answer.ts';
import { builtInClients } from '../client/built-in.ts';
import { byName, findConfig, loadClients } from '../client/client-config.ts';
import type { HttpClient } from '../client/http-client.ts';
import { isInstalled } from '../client/installed.ts';
import { taggedPath } from '../server/request-path.ts';
import {
  askOnce,
  certificateOf,
  placeOf,
  type ServerAddress,
  tallyOf,
  urlOf,
} from '../target/server-probe.ts';
import type { ClientComparison, FailedClient, SkippedClient } from './client-comparison.ts';
import {
  type ComparisonOptions,
  type CompleteComparisonOptions,
  completeComparisonOptions,
} from './comparison-options.ts';
import { rotated } from './rotation.ts';
import { nextSamples } from './sampling.ts';
import { type Block, standingsOf } from './standing.ts';
import { unsettledClients } from './unsettled.ts';

/** Samples before those that count: connections are made, and code becomes hot. */
const WARM_UP_SAMPLES = 5;
const POST_BYTES = 128 * 1024;
/** Posts that fit into an HTTP/2 session of Node.js at a time: it holds 10 MB, and undici gives no way to raise that. */
const MOST_HTTP2_POSTS = 64;

/** What is compared, and where. */
export interface ComparisonRequest {
  readonly server: ServerAddress;
  /** Names of clients; default: all that speak the protocol. */
  readonly clients?: readonly string[];
  /** A module with clients, as `bench-cli.config.ts`; default: the nearest one upwards of `directory`, if any. */
  readonly config?: string;
  /** Where packages of clients and the config are looked for; default: the working directory. */
  readonly directory?: string;
  readonly options?: ComparisonOptions;
  /** Ends the comparison: its processes are gone when the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ComparisonProgress) => void;
}

/** What is being measured. */
export interface ComparisonProgress {
  /** From 1. */
  readonly round: number;
  readonly client: string;
  /** Clients of this round that are done, and all of them. */
  readonly done: number;
  readonly clients: number;
  /** The largest tolerance so far, a fraction; null before there is one. */
  readonly tolerance: number | null;
}

/** What the comparison needs of the world. */
export interface ComparisonWorld {
  readonly measure: MeasureBlock;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Compares HTTP clients: in rounds, in each of which every client is measured by cronometro in a process of its own.
 * A client that gives a wrong answer once is out.
 *
 * @throws UsageError for options that are none, clients that there are not, and a server that does not answer
 */
export async function compareClients(
  request: ComparisonRequest,
  world: ComparisonWorld = { measure: measureBlock, now: () => performance.now() },
): Promise<ClientComparison> {
  const { server, signal } = request;
  const directory = request.directory ?? process.cwd();
  const options = completeComparisonOptions(request.options ?? {});
  checkPosts(server, options);
  const config = request.config ?? findConfig(directory);
  const { chosen, skipped } = await chooseClients(request, config, directory);

  const expected = await expectedAnswer(server, options.method);
  const counts = (await tallyOf(server, randomUUID())) === 0;
  const certificate = server.protocol === 'http' ? undefined : await certificateOf(server);
  const orderFor = (client: HttpClient, samples: number, path: string): BlockOrder => ({
    client: client.name,
    config,
    directory,
    target: {
      url: `${urlOf(server)}${path}`,
      protocol: server.protocol,
      socketPath: server.socketPath,
      method: options.method,
      postBytes: POST_BYTES,
      certificate,
    },
    expected,
    settings: options,
    parallel: options.parallel,
    samples,
    warmUp: options.samples === 1 ? 1 : WARM_UP_SAMPLES,
    answerTimeoutMs: options.answerTimeoutMs,
  });

  /** Measures a client, and asks the server whether it saw as many requests as the client has answers. */
  const measure = async (client: HttpClient, samples: number): Promise<BlockOutcome> => {
    const tag = randomUUID();
    const outcome = await world.measure(orderFor(client, samples, counts ? taggedPath(tag) : '/'), signal);
    if (outcome.kind === 'failed' || !counts) return outcome;
    const seen = await tallyOf(server, tag);
    if (seen === outcome.answers) return outcome;
    const message = `claims ${outcome.answers} answers, but the server got ${seen ?? 'an unknown number of'} requests`;
    return { kind: 'failed', message, samples: outcome.elapsedNs.length };
  };

  const startedAt = world.now();
  const elapsedMs = () => world.now() - startedAt;
  const failed: FailedClient[] = [];
  const blocks = new Map<HttpClient, Block[]>(chosen.map((client) => [client, []]));
  const measured = () => [...blocks].map(([{ name }, all]) => ({ name, blocks: all }));
  let standings = standingsOf([], options.parallel);
  let round = 0;
  for (;;) {
    const tolerances = round === 0 ? chosen.map(() => null) : standings.standings.map((it) => it.tolerance);
    const samples = nextSamples(options, { rounds: round, elapsedMs: elapsedMs(), tolerances });
    if (samples === 0) break;
    const turn = rotated([...blocks.keys()], round);
    for (const [done, client] of turn.entries()) {
      const tolerance = tolerances.every((it) => it !== null) ? Math.max(...tolerances) : null;
      request.onProgress?.({ round: round + 1, client: client.name, done, clients: turn.length, tolerance });
      const outcome = await measure(client, samples);
      if (outcome.kind === 'measured') blocks.get(client)?.push({ round, elapsedNs: outcome.elapsedNs });
      else {
        const before = blocks.get(client)?.reduce((sum, { elapsedNs }) => sum + elapsedNs.length, 0) ?? 0;
        failed.push({
          name: client.name,
          error: outcome.message,
          samples: before + outcome.samples,
          round: round + 1,
        });
        blocks.delete(client);
      }
    }
    round++;
    standings = standingsOf(measured(), options.parallel);
  }
  return {
    server: {
      url: urlOf(server),
      socketPath: server.socketPath ?? null,
      answerBytes: expected.bytes,
      countsRequests: counts,
    },
    options,
    rounds: round,
    elapsedMs: elapsedMs(),
    ...standings,
    failed,
    skipped,
    unsettled:
      options.samples === 'auto'
        ? unsettledClients(standings.standings, measured(), options.errorThreshold)
        : [],
    warnings: counts
      ? []
      : [
          `${placeOf(server)} does not count its requests, so a client that invents whole answers would not be found out; bench-cli cluster-server counts`,
        ],
  };
}

function checkPosts({ protocol }: ServerAddress, { method, parallel }: CompleteComparisonOptions): void {
  if (protocol !== 'http2' || method !== 'POST' || parallel <= MOST_HTTP2_POSTS) return;
  throw new UsageError(
    'ERR_BENCH_OPTION',
    `PARALLEL takes ${MOST_HTTP2_POSTS} at the most for posts over HTTP/2, not ${parallel}: they would not fit into the 10 MB that a session of Node.js holds`,
  );
}

async function chooseClients(
  { clients: wanted, server }: ComparisonRequest,
  config: string | undefined,
  directory: string,
): Promise<{ readonly chosen: readonly HttpClient[]; readonly skipped: readonly SkippedClient[] }> {
  const all = byName([...builtInClients, ...(config === undefined ? [] : await loadClients(config))]);
  for (const name of wanted ?? []) {
    if (!all.some((client) => client.name === name))
      throw new UsageError(
        'ERR_BENCH_UNKNOWN_CLIENT',
        `there is no client "${name}"; there are ${all.map((it) => `"${it.name}"`).join(', ')}`,
      );
  }
  const named = all.filter(
    ({ name }) => wanted === undefined || wanted.length === 0 || wanted.includes(name),
  );
  const chosen: HttpClient[] = [];
  const skipped: SkippedClient[] = [];
  for (const client of named) {
    const { name, protocols: spoken = ['http', 'https'], package: needed } = client;
    if (!spoken.includes(server.protocol)) {
      // Nobody asked for it by name: it is none of those that this is about.
      if (wanted?.includes(name)) skipped.push({ name, reason: `does not speak ${server.protocol}` });
    } else if (server.socketPath !== undefined && client.unixSocket !== true)
      skipped.push({ name, reason: 'cannot talk to a Unix socket' });
    else if (needed !== undefined && !isInstalled(needed, directory))
      skipped.push({ name, reason: `${needed} is not installed: npm install ${needed}` });
    else chosen.push(client);
  }
  if (chosen.length === 0)
    throw new UsageError(
      'ERR_BENCH_NO_CLIENT',
      `there is no client to measure: ${skipped.map(({ name, reason }) => `${name} ${reason}`).join('; ')}`,
    );
  return { chosen, skipped };
}

/** What the server answers to Node.js itself, which every client must get too. */
async function expectedAnswer(server: ServerAddress, method: 'GET' | 'POST'): Promise<ExpectedAnswer> {
  const post =
    method === 'GET'
      ? undefined
      : { body: '_'.repeat(POST_BYTES), headers: { 'content-length': String(POST_BYTES) } };
  const { status, body } = await askOnce(server, '/', post);
  if (status !== 200)
    throw new UsageError(
      'ERR_BENCH_SERVER_ANSWER',
      `${placeOf(server)} answers ${method} / with status ${status} instead of 200: name a server that answers by itself`,
    );
  return { status, bytes: body.length };
}
