/**
 * What a benchmarker must do for its rates to be trusted, as test cases for any test framework. The adapters of this
 * package pass them; whoever writes another one can find out whether it is right.
 *
 * @packageDocumentation
 */
import type { LoadOptions, LoadResult, Protocol, Scheme } from '@bench-cli/core';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Benchmarker } from '../benchmarker.ts';
import { LoadError, type LoadErrorKind } from '../load-error.ts';
import { type Certificate, type Exchange, TestServer } from './test-server.ts';

export type { Certificate } from './test-server.ts';

export interface ContractCase {
  /** A sentence about the benchmarker. */
  readonly name: string;
  /** Rejects if the sentence is not true. */
  run(): Promise<void>;
}

export interface ContractOptions {
  /** For the cases over TLS, which are left out without it. Any certificate will do, a self-signed one too. */
  readonly certificate?: Certificate | undefined;
  /** Seconds that a run of a case takes. Default 1, the least that wrk can do. */
  readonly durationSeconds?: number | undefined;
}

/**
 * The cases for one benchmarker, whose tool must be available. Each takes about a run's duration.
 *
 * @example
 * describe('oha', () => {
 *   for (const { name, run } of benchmarkerContract(oha)) it(name, run);
 * });
 */
export function benchmarkerContract(
  benchmarker: Benchmarker,
  { certificate, durationSeconds = 1 }: ContractOptions = {},
): readonly ContractCase[] {
  const common = { connections: 2, durationSeconds };
  return [
    {
      name: 'tells where its tool is and which version that has',
      async run() {
        const availability = await benchmarker.available();
        assert.ok(availability.available, availability.available ? '' : availability.message);
        assert.match(availability.version, /\d/);
        assert.notEqual(availability.command[0], '');
      },
    },
    ...transportsOf(benchmarker, certificate).flatMap((transport) =>
      casesOver(benchmarker, transport, certificate, common),
    ),
  ];
}

interface Transport {
  readonly protocol: Protocol;
  readonly scheme: Scheme;
}

function transportsOf(
  { protocols }: Benchmarker,
  certificate: Certificate | undefined,
): readonly Transport[] {
  return protocols
    .flatMap((protocol): readonly Transport[] =>
      protocol === 'http2'
        ? [
            { protocol, scheme: 'http' },
            { protocol, scheme: 'https' },
          ]
        : [{ protocol, scheme: protocol }],
    )
    .filter(({ scheme }) => scheme === 'http' || certificate !== undefined);
}

function casesOver(
  benchmarker: Benchmarker,
  transport: Transport,
  certificate: Certificate | undefined,
  common: Omit<LoadOptions, 'port'>,
): readonly ContractCase[] {
  const { protocol, scheme } = transport;
  const label =
    protocol === 'http2' ? (scheme === 'http' ? 'HTTP/2' : 'HTTP/2 over TLS') : protocol.toUpperCase();
  const start = (exchange: Exchange) => TestServer.start(protocol, scheme, certificate, exchange);
  const load = (port: number, options: Omit<LoadOptions, 'port'> = {}, signal?: AbortSignal) =>
    benchmarker.run({ ...common, protocol, scheme, port, ...options }, { signal });
  const refuses = (port: number, kinds: readonly LoadErrorKind[], options?: Omit<LoadOptions, 'port'>) =>
    assertNoRate(benchmarker, () => load(port, options), kinds);

  const cases: readonly ContractCase[] = [
    {
      name: 'gives the rate that the server sees',
      async run() {
        let answered = 0;
        await using server = await start((_, response) => {
          answered++;
          response.end('hello');
        });
        const result = await load(server.port);
        assertConsistent(benchmarker, result);
        // What was under way at the end was answered and not counted; an adapter may also ask a few times by itself.
        assert.ok(result.requests <= answered, `${result.requests} answers, and the server gave ${answered}`);
        assert.ok(
          result.requests >= 0.9 * answered - 50,
          `${result.requests} answers; the server gave ${answered}`,
        );
        assert.ok(server.mostConnections <= 10, `${server.mostConnections} connections for the 2 asked for`);
      },
    },
    {
      name: 'sends path, query and headers',
      async run() {
        await using server = await start((request, response) => {
          const right = request.url === '/a/b?c=d&e=%20' && request.headers['x-contract'] === 'a, b = "c": d';
          response.statusCode = right ? 200 : 400;
          response.end();
        });
        await load(server.port, { path: '/a/b?c=d&e=%20', headers: { 'X-Contract': 'a, b = "c": d' } });
      },
    },
    {
      name: 'ends its tool when it is told to, and gives the reason',
      async run() {
        const controller = new AbortController();
        const reason = new Error('told to end');
        await using server = await start((_, response) => {
          response.end();
          controller.abort(reason);
        });
        const error = await errorOf(() => load(server.port, { durationSeconds: 30 }, controller.signal));
        assert.equal(error, reason);
        await server.idle();
      },
    },
    {
      name: 'gives no rate when nobody listens',
      async run() {
        const server = await start(() => {});
        const { port } = server;
        await server[Symbol.asyncDispose]();
        await refuses(port, ['unreachable']);
      },
    },
    ...[500, 404, 302].map((status) => ({
      name: `gives no rate when the server answers with ${status}`,
      async run() {
        await using server = await start((_, response) => {
          response.statusCode = status;
          response.end();
        });
        await refuses(server.port, ['failures']);
      },
    })),
    {
      name: 'gives no rate when a single answer is a 500',
      async run() {
        // The second: an adapter may ask once by itself before the tool does, and a test double asks only once.
        let asked = 0;
        await using server = await start((_, response) => {
          response.statusCode = ++asked === 2 ? 500 : 200;
          response.end();
        });
        const error = await errorOf(() => load(server.port));
        if (asked < 3) return;
        assertLoadError(benchmarker, error, ['failures']);
      },
    },
    {
      name: 'gives no rate when the server cuts every connection',
      async run() {
        await using server = await start(({ socket }) => {
          socket.destroy();
        });
        await refuses(server.port, noAnswer);
      },
    },
    {
      name: 'gives no rate when answers end in the middle',
      async run() {
        await using server = await start(({ socket }, response) => {
          response.setHeader('content-length', 1000);
          response.write('x'.repeat(10), () => socket.destroy());
        });
        await refuses(server.port, noAnswer);
      },
    },
    {
      name: 'gives no rate when the server does not answer',
      async run() {
        await using server = await start(() => {});
        const short = benchmarker.supports.includes('timeoutSeconds') ? { timeoutSeconds: 1 } : {};
        await refuses(server.port, noAnswer, short);
      },
    },
    {
      name: 'gives no rate when the server dies while it is loaded',
      async run() {
        // Early, so that it is the tool that sees it, and none of the few requests that an adapter makes by itself.
        const answers = 20;
        let asked = 0;
        await using server: TestServer = await start((_, response) => {
          if (++asked > answers) server.die();
          else response.end();
        });
        const error = await errorOf(() => load(server.port));
        if (asked <= answers) return;
        assertLoadError(benchmarker, error, noAnswer);
      },
    },
    {
      name: 'honours method and body, or refuses them',
      async run() {
        const body = '[{"text": "\'quoted\' \\\\ \n ü"}]';
        await using server = await start(async (request, response) => {
          let received = '';
          request.setEncoding('utf8');
          request.on('data', (chunk: string) => {
            received += chunk;
          });
          await once(request, 'end').catch(() => {});
          response.statusCode = request.method === 'PUT' && received === body ? 200 : 400;
          response.end();
        });
        const supported = (['method', 'body'] as const).every((option) =>
          benchmarker.supports.includes(option),
        );
        if (supported) await load(server.port, { method: 'PUT', body });
        else await refuses(server.port, ['options'], { method: 'PUT', body });
      },
    },
  ];
  return cases.map(({ name, run }) => ({ name: `${label}: ${name}`, run }));
}

/** How a tool may fail that got no complete answer. */
const noAnswer: readonly LoadErrorKind[] = ['failures', 'exit', 'output', 'timeout', 'unreachable'];

async function assertNoRate(
  benchmarker: Benchmarker,
  run: () => Promise<LoadResult>,
  kinds: readonly LoadErrorKind[],
): Promise<void> {
  assertLoadError(benchmarker, await errorOf(run), kinds);
}

function assertLoadError(benchmarker: Benchmarker, error: unknown, kinds: readonly LoadErrorKind[]): void {
  assert.ok(error instanceof LoadError, `expected a LoadError, not ${error}`);
  assert.ok(
    kinds.includes(error.kind),
    `expected the kind ${kinds.join(' or ')}, not ${error.kind}: ${error.message}`,
  );
  assert.ok(error.message.includes(benchmarker.name), `the message does not name ${benchmarker.name}`);
}

async function errorOf(run: () => Promise<LoadResult>): Promise<unknown> {
  let result: LoadResult;
  try {
    result = await run();
  } catch (error) {
    return error;
  }
  return `a rate of ${result.rate}`;
}

function assertConsistent(benchmarker: Benchmarker, result: LoadResult): void {
  assert.equal(result.benchmarker, benchmarker.name);
  assert.ok(result.command.length > 0, 'the command line is missing');
  assert.ok(result.requests > 0 && result.durationSeconds > 0 && result.rate > 0);
  const expected = (result.requests - result.non2xx) / result.durationSeconds;
  assert.ok(Math.abs(result.rate / expected - 1) < 0.01, `a rate of ${result.rate} instead of ${expected}`);
  const { p50Ms, p75Ms, p90Ms, p99Ms, p999Ms, maxMs } = result.latency;
  const ascending = [p50Ms, p75Ms, p90Ms, p99Ms, p999Ms, maxMs].filter((value) => value !== null);
  assert.deepEqual(
    ascending,
    ascending.toSorted((a, b) => a - b),
    'the percentiles of the latency do not ascend',
  );
}
