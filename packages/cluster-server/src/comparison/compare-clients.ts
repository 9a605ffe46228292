import { randomUUID } from 'node:crypto';
import { UsageError } from '@bench-cli/results';
import { findConfigFile, rotated } from '@bench-cli/runner';
import { type BlockOutcome, type MeasureBlock, measureBlock } from '../block/block.ts';
import type { BlockOrder } from '../block/messages.ts';
import type { ExpectedAnswer } from '../client/answer.ts';
import { builtInClients } from '../client/built-in.ts';
import { loadClients } from '../client/client-config.ts';
import type { HttpClient } from '../client/http-client.ts';
import { isInstalled } from '../client/installed.ts';
import { placeOf, type ServerAddress, taggedPath, urlOf } from '../server/address.ts';
import type { ClientComparison, FailedClient, SkippedClient } from './client-comparison.ts';
import {
  type ComparisonOptions,
  type CompleteComparisonOptions,
  comparisonOptionsOf,
} from './comparison-options.ts';
import { nextSamples } from './sampling.ts';
import { askOnce, certificateOf, tallyOf } from './server-probe.ts';
import { type Block, standingsOf } from './standing.ts';
import { unsettledClients } from './unsettled.ts';

/** Measured time of a block with `samples: 'auto'`, milliseconds: more than its process takes to start. */
const AUTO_BLOCK_MS = 1_000;
const POST_BYTES = 128 * 1024;
/** Simultaneous posts in an HTTP/2 session of Node.js, which can hold 10 MB; with undici this limit cannot be changed. */
const MOST_HTTP2_POSTS = 64;

export interface ComparisonRequest {
  readonly server: ServerAddress;
  /** Names of clients. Default: all that support the protocol. */
  readonly clients?: readonly string[];
  /** A config file with clients. Default: the nearest `bench-cli.config.ts` in `directory` or above it, if there is one. */
  readonly config?: string;
  /** The directory from which packages of clients and the config file are searched. Default: the working directory. */
  readonly directory?: string;
  readonly options?: ComparisonOptions;
  /** Aborts the comparison. When the promise rejects with the reason, all processes have ended. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ComparisonProgress) => void;
}

/** The client that is being measured. */
export interface ComparisonProgress {
  /** From 1. */
  readonly round: number;
  readonly client: string;
  /** Measured clients of this round, and all clients of it. */
  readonly done: number;
  readonly clients: number;
  /** The largest tolerance so far, a fraction; null if there is no tolerance yet. */
  readonly tolerance: number | null;
}

/** The effects of a comparison, which tests replace. */
export interface ComparisonWorld {
  readonly measure: MeasureBlock;
  /** Milliseconds. */
  readonly now: () => number;
}

/**
 * Compares HTTP clients in rounds. In each round cronometro measures every client in a separate process. A client with one
 * wrong answer is not measured any more.
 *
 * @throws UsageError for invalid options, unknown clients, and a server that does not answer
 */
export async function compareClients(
  request: ComparisonRequest,
  world: ComparisonWorld = { measure: measureBlock, now: () => performance.now() },
): Promise<ClientComparison> {
  const { server, signal } = request;
  const directory = request.directory ?? process.cwd();
  const options = comparisonOptionsOf({}, request.options);
  checkPosts(server, options);
  const config = request.config ?? findConfigFile(directory);
  const { chosen, skipped } = await chooseClients(request, config, directory);

  const expected = await expectedAnswer(server, options.method);
  const counts = (await tallyOf(server, randomUUID())) === 0;
  const certificate = server.protocol === 'http' ? undefined : await certificateOf(server);
  /** Measures a client, and asks the server whether it received as many requests as the client claims answers. */
  const measure = async (client: HttpClient, samples: number): Promise<BlockOutcome> => {
    const tag = randomUUID();
    const order: BlockOrder = {
      client: client.name,
      config,
      directory,
      target: {
        url: `${urlOf(server)}${counts ? taggedPath(tag) : '/'}`,
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
      leastMs: options.samples === 'auto' ? AUTO_BLOCK_MS : 0,
      warmUp: options.samples === 1 ? 'single' : 'steady',
      answerTimeoutMs: options.answerTimeoutMs,
    };
    const outcome = await world.measure(order, signal);
    if (outcome.kind === 'failed' || !counts) return outcome;
    const seen = await tallyOf(server, tag);
    if (seen === outcome.answers) return outcome;
    const message = `the client claimed ${outcome.answers} answers, but the server received ${seen ?? 'an unknown number of'} requests`;
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
    const progress = { rounds: round, elapsedMs: elapsedMs(), tolerances };
    const turn = rotated([...blocks.keys()], round).flatMap((client) => {
      const samples = nextSamples(options, { ...progress, taken: samplesOf(blocks.get(client)) });
      return samples > 0 ? [{ client, samples }] : [];
    });
    if (turn.length === 0) break;
    for (const [done, { client, samples }] of turn.entries()) {
      const tolerance = tolerances.every((it) => it !== null) ? Math.max(...tolerances) : null;
      request.onProgress?.({ round: round + 1, client: client.name, done, clients: turn.length, tolerance });
      const outcome = await measure(client, samples);
      if (outcome.kind === 'measured') blocks.get(client)?.push({ round, ...outcome });
      else {
        failed.push({
          name: client.name,
          error: outcome.message,
          samples: samplesOf(blocks.get(client)) + outcome.samples,
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
          `${placeOf(server)} does not count requests, so invented answers of a client cannot be detected; bench-cli cluster-server counts them`,
        ],
  };
}

function samplesOf(blocks: readonly Block[] = []): number {
  return blocks.reduce((sum, { elapsedNs }) => sum + elapsedNs.length, 0);
}

function checkPosts({ protocol }: ServerAddress, { method, parallel }: CompleteComparisonOptions): void {
  if (protocol !== 'http2' || method !== 'POST' || parallel <= MOST_HTTP2_POSTS) return;
  throw new UsageError(
    'ERR_BENCH_OPTION',
    `PARALLEL must be at most ${MOST_HTTP2_POSTS} for posts over HTTP/2, not ${parallel}, because an HTTP/2 session of Node.js can hold 10 MB`,
  );
}

async function chooseClients(
  { clients: wanted, server }: ComparisonRequest,
  config: string | undefined,
  directory: string,
): Promise<{ readonly chosen: readonly HttpClient[]; readonly skipped: readonly SkippedClient[] }> {
  const configured = config === undefined ? [] : await loadClients(config);
  const byName = new Map([...builtInClients, ...configured].map((client) => [client.name, client]));
  const unknown = wanted?.find((name) => !byName.has(name));
  if (unknown !== undefined) {
    throw new UsageError(
      'ERR_BENCH_UNKNOWN_CLIENT',
      `unknown client "${unknown}"; known: ${[...byName.keys()].map((name) => `"${name}"`).join(', ')}`,
    );
  }
  const chosen: HttpClient[] = [];
  const skipped: SkippedClient[] = [];
  for (const client of byName.values()) {
    const { name, protocols = ['http', 'https'], package: needed, source = needed } = client;
    if (wanted !== undefined && wanted.length > 0 && !wanted.includes(name)) continue;
    if (!protocols.includes(server.protocol)) {
      // Without a name, only the clients for the protocol are wanted.
      if (wanted?.includes(name)) skipped.push({ name, reason: `it does not support ${server.protocol}` });
    } else if (server.socketPath !== undefined && client.unixSocket !== true)
      skipped.push({ name, reason: 'it does not support Unix sockets' });
    else if (needed !== undefined && !isInstalled(needed, directory))
      skipped.push({ name, reason: `${needed} is not installed: npm install ${source}` });
    else chosen.push(client);
  }
  if (chosen.length === 0)
    throw new UsageError(
      'ERR_BENCH_NO_CLIENT',
      `there is no client to measure: ${skipped.map(({ name, reason }) => `${name}: ${reason}`).join('; ')}`,
    );
  return { chosen, skipped };
}

/** The answer that Node.js itself receives from the server, which all clients must receive too. */
async function expectedAnswer(server: ServerAddress, method: 'GET' | 'POST'): Promise<ExpectedAnswer> {
  const { status, body } = await askOnce(server, '/', method === 'POST' ? '_'.repeat(POST_BYTES) : undefined);
  if (status !== 200)
    throw new UsageError(
      'ERR_BENCH_SERVER_ANSWER',
      `${placeOf(server)} answers ${method} / with status ${status} instead of 200; use a server that answers with 200`,
    );
  return { status, bytes: body.length };
}
