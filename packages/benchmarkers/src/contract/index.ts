/**
 * Test cases, for any test framework, that a benchmarker must pass so that its rates can be trusted. The adapters of this
 * package pass them; authors of other adapters can check theirs.
 *
 * @packageDocumentation
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { LoadOptions, LoadResult } from '@bench-cli/core';
import type { Benchmarker } from '../benchmarker.ts';
import { LoadError, type LoadErrorCode } from '../load-error.ts';
import { type Exchange, startTestServer, type TestCertificate, type TestServer } from './test-server.ts';

export interface ContractCase {
  /** A sentence about the benchmarker. */
  readonly name: string;
  /** Rejects if the sentence is not true. */
  run(): Promise<void>;
}

export interface ContractOptions {
  /** For the cases over TLS, which are omitted without it. It may be self-signed. */
  readonly certificate?: TestCertificate | undefined;
  /** Duration of the load in most cases; the rate is measured for three times as long. Default 1, the minimum of wrk. */
  readonly durationSeconds?: number | undefined;
}

/**
 * The cases for a benchmarker whose load tool is available.
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
      name: 'reports the path and the version of its load tool',
      async run() {
        const availability = await benchmarker.available();
        assert.ok(availability.available, availability.available ? '' : availability.message);
        assert.match(availability.version, /\d/);
        assert.notEqual(availability.command[0], '');
      },
    },
    ...transports
      .filter(({ protocol }) => benchmarker.protocols.includes(protocol))
      .filter(({ scheme }) => scheme === 'http' || certificate !== undefined)
      .flatMap((transport) => casesOver(benchmarker, transport, certificate, common)),
  ];
}

/**
 * The time from a request to its answer, milliseconds. Without it the load tool and the server would keep the CPUs busy; only the
 * rate is measured with many requests.
 */
const pauseMs = 5;
const ratePauseMs = 1;

const transports = [
  { label: 'HTTP', protocol: 'http', scheme: 'http' },
  { label: 'HTTPS', protocol: 'https', scheme: 'https' },
  { label: 'HTTP/2', protocol: 'http2', scheme: 'http' },
  { label: 'HTTP/2 over TLS', protocol: 'http2', scheme: 'https' },
] as const;

function casesOver(
  benchmarker: Benchmarker,
  { label, protocol, scheme }: (typeof transports)[number],
  certificate: TestCertificate | undefined,
  common: { readonly connections: number; readonly durationSeconds: number },
): readonly ContractCase[] {
  const supports = (options: Benchmarker['supports']) =>
    options.every((option) => benchmarker.supports.includes(option));
  const start = (exchange: Exchange, afterMs = pauseMs) =>
    startTestServer(protocol, scheme, certificate, (...both) => void setTimeout(exchange, afterMs, ...both));
  const load = (port: number, options: Omit<LoadOptions, 'port'> = {}, signal?: AbortSignal) =>
    benchmarker.run({ ...common, protocol, scheme, port, ...options }, { signal });
  const fails = async (port: number, codes: readonly LoadErrorCode[], options?: Omit<LoadOptions, 'port'>) =>
    assertLoadError(benchmarker, await errorOf(() => load(port, options)), codes);

  const noRate = (
    when: string,
    exchange: Exchange,
    codes: readonly LoadErrorCode[],
    options?: Omit<LoadOptions, 'port'>,
  ): ContractCase => ({
    name: `reports no rate if ${when}`,
    async run() {
      await using server = await start(exchange);
      await fails(server.port, codes, options);
    },
  });

  // A load of some requests has answers on every machine; in a short time, a machine that others load may give none.
  const answered = supports(['requests']) ? { requests: 50 } : {};

  const answering = (status: number) => {
    const answer: Exchange = (_, response) => {
      response.statusCode = status;
      response.end();
    };
    return noRate(`the server answers with ${status}`, answer, ['ERR_BENCH_LOAD_FAILURES'], answered);
  };
  const cases: readonly ContractCase[] = [
    {
      name: 'reports the rate that the server sees',
      async run() {
        let sent = 0;
        await using server = await start((_, response) => {
          sent++;
          response.end('hello');
        }, ratePauseMs);
        const result = await load(server.port, { durationSeconds: 3 * common.durationSeconds });
        assertConsistent(benchmarker, result);
        // Requests that are pending at the end are answered but not counted; the watchdog of the load sends up to 1000 itself.
        assert.ok(
          result.requests <= sent,
          `reported ${result.requests} answers, but the server sent ${sent}`,
        );
        assert.ok(
          result.requests >= 0.9 * Math.max(sent - 1000, sent / 2) - 50,
          `reported ${result.requests} answers, but the server sent ${sent}`,
        );
        // Up to as many again are of the checks after the load, and on a loaded machine those that the server sees closed late.
        assert.ok(server.mostConnections <= 10, `opened ${server.mostConnections} connections instead of 2`);
      },
    },
    {
      name: 'sends path, query, headers, method and body, or rejects those as unsupported',
      async run() {
        const body = '[{"text": "\'quoted\' \\\\ \n ü"}]';
        const takesBody = supports(['method', 'body']);
        await using server = await start(async (request, response) => {
          let received = '';
          request.setEncoding('utf8');
          request.on('data', (chunk: string) => {
            received += chunk;
          });
          await once(request, 'end').catch(() => {});
          const isSent = !takesBody || (request.method === 'PUT' && received === body);
          const { url, headers } = request;
          const right = isSent && url === '/a/b?c=d&e=%20' && headers['x-contract'] === 'a, b = "c": d';
          response.statusCode = right ? 200 : 400;
          response.end();
        });
        const headers = { 'X-Contract': 'a, b = "c": d' };
        const order = { path: '/a/b?c=d&e=%20', headers, ...(takesBody && { method: 'PUT', body }) };
        await load(server.port, { ...order, ...answered });
        if (!takesBody) await fails(server.port, ['ERR_BENCH_LOAD_UNSUPPORTED'], { method: 'PUT', body });
      },
    },
    {
      name: 'ends its load tool when the signal aborts, and rejects with the reason',
      async run() {
        const controller = new AbortController();
        const reason = new Error('aborted');
        await using server = await start((_, response) => {
          response.end();
          controller.abort(reason);
        });
        const error = await errorOf(() => load(server.port, { durationSeconds: 30 }, controller.signal));
        assert.equal(error, reason);
        await server.idle();
      },
    },
    noRate(
      'answers are incomplete',
      ({ socket }, response) => {
        response.setHeader('content-length', 1000);
        response.write('x'.repeat(10), () => socket.destroy());
      },
      noAnswer,
    ),
    {
      name: 'reports no rate if the server crashes during the load',
      async run() {
        // Early enough that the load tool sees it, and not only the requests that the adapter sends after the load.
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
  ];
  // A load tool finds these in the same way with and without TLS.
  const withoutTls: readonly ContractCase[] = [
    {
      name: 'reports no rate if no server listens',
      async run() {
        const server = await start(() => {});
        const { port } = server;
        await server[Symbol.asyncDispose]();
        await fails(port, ['ERR_BENCH_LOAD_UNREACHABLE']);
      },
    },
    answering(500),
    {
      name: 'reports no rate if only two answers are a 500',
      async run() {
        // Not the first requests, because an adapter sends some itself. During the load its watchdog sends one at a time, so one of
        // the two is sent by the tool. A test double sends only one request, and after the load come at most as many as in it.
        let asked = 0;
        await using server = await start((_, response) => {
          asked++;
          response.statusCode = asked === 20 || asked === 21 ? 500 : 200;
          response.end();
        });
        const error = await errorOf(() => load(server.port));
        if (asked < 100) return;
        assertLoadError(benchmarker, error, ['ERR_BENCH_LOAD_FAILURES']);
      },
    },
    answering(404),
    answering(302),
    noRate('the server closes all connections', ({ socket }) => void socket.destroy(), noAnswer),
    noRate(
      'the server does not answer',
      () => {},
      noAnswer,
      supports(['timeoutSeconds']) ? { timeoutSeconds: 1 } : {},
    ),
  ];
  const isFirst = scheme === 'http' || !benchmarker.protocols.includes('http');
  return [...cases, ...(isFirst ? withoutTls : [])].map(({ name, run }) => ({
    name: `${label}: ${name}`,
    run,
  }));
}

/** How a load tool may fail that received no complete answer. */
const noAnswer: readonly LoadErrorCode[] = [
  'ERR_BENCH_LOAD_FAILURES',
  'ERR_BENCH_LOAD_EXIT',
  'ERR_BENCH_LOAD_OUTPUT',
  'ERR_BENCH_LOAD_TIMEOUT',
  'ERR_BENCH_LOAD_UNREACHABLE',
];

function assertLoadError(benchmarker: Benchmarker, error: unknown, codes: readonly LoadErrorCode[]): void {
  assert.ok(error instanceof LoadError, `expected a LoadError, not ${error}`);
  assert.ok(
    codes.includes(error.code),
    `expected ${codes.join(' or ')}, not ${error.code}: ${error.message}`,
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
    'the percentiles of the latency are not ascending',
  );
}
