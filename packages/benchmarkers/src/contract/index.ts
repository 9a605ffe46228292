/**
 * Test cases, for any test framework, that a benchmarker must pass so that its rates can be trusted. The
 * adapters of this package pass them; authors of other adapters can check theirs.
 *
 * @packageDocumentation
 */

import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import type { FailureCounts, LoadOptions, LoadResult } from '@bench-cli/core';
import type { Benchmarker } from '../benchmarker.ts';
import { LoadError, type LoadErrorCode } from '../load-error.ts';
import { type Exchange, startTestServer, type TestCertificate, type TestServer } from './test-server.ts';
import { assertTrue, known } from './truth.ts';

export interface ContractCase {
  /** A sentence about the benchmarker. */
  readonly name: string;
  /** Rejects if the sentence is not true. */
  run(): Promise<void>;
}

export interface ContractOptions {
  /** For the cases over TLS, which are omitted without it. It may be self-signed. */
  readonly certificate?: TestCertificate | undefined;
  /** Duration of most loads; the rate is measured for three times as long. Default 1, the minimum of wrk. */
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
      .flatMap((transport) => casesOver(benchmarker, transport, certificate, durationSeconds)),
  ];
}

/** Milliseconds from a request to its answer. Without a pause, tool and server would keep the CPUs busy. */
const pauseMs = 5;

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
  durationSeconds: number,
): readonly ContractCase[] {
  const supports = (options: Benchmarker['supports']) =>
    options.every((option) => benchmarker.supports.includes(option));
  const start = (exchange: Exchange, afterMs = pauseMs) =>
    startTestServer(protocol, scheme, certificate, (...both) => void setTimeout(exchange, afterMs, ...both));
  const load = async (port: number, options: Omit<LoadOptions, 'port'> = {}, signal?: AbortSignal) => {
    // Beside a number of requests, a duration would be a limit.
    const amount = options.requests === undefined && { durationSeconds };
    return benchmarker.run({ connections: 2, ...amount, protocol, scheme, port, ...options }, { signal });
  };
  const fails = async (port: number, codes: readonly LoadErrorCode[], options?: Omit<LoadOptions, 'port'>) =>
    assertLoadError(benchmarker, await errorOf(load(port, options)), codes);

  // A number of requests has answers on every machine. In a time, a machine that others load may give none.
  const answered = supports(['requests']) ? { requests: 50 } : { durationSeconds: 3 * durationSeconds };

  /** Not the first one: h2load does not notice the end of a connection without an answer. */
  const failingPair = 3;
  const twoFail = (
    how: string,
    exchange: Exchange,
    figure: keyof FailureCounts,
    options: Omit<LoadOptions, 'port'> = {},
  ): ContractCase => ({
    name: `reports no rate but ${figure} if only two answers ${how}`,
    async run() {
      const pending = new Set<{ fails: boolean }>();
      let pairs = 0;
      await using server = await start((request, response) => {
        const own = { fails: false };
        pending.add(own);
        // An adapter sends one request at a time, so one of two simultaneous requests is of the tool.
        if (pending.size === 2 && ++pairs === failingPair) for (const each of pending) each.fails = true;
        setTimeout(() => {
          pending.delete(own);
          if (own.fails) exchange(request, response);
          else response.end();
        }, pauseMs);
      }, 0);
      const error = await errorOf(load(server.port, { durationSeconds: 3, ...options }));
      // A test double sends one request. A tool that fails as a whole counts nothing.
      if (pairs < failingPair || (error instanceof LoadError && error.code !== 'ERR_BENCH_LOAD_FAILURES'))
        return;
      const counted = error instanceof LoadError ? error.failures?.[figure] : undefined;
      const problem = `${counted ?? 'no'} ${figure}, but two answers of the server ${how}: return those that the tool counts as ${figure} (${error})`;
      assert.ok(counted !== undefined && counted > 0, problem);
    },
  });
  const reportsTruth = (
    amount: string,
    order: Pick<LoadOptions, 'requests' | 'durationSeconds'>,
  ): ContractCase => ({
    name: `reports the rate, the latencies and the bytes that the server sees, for ${amount}`,
    async run() {
      let sent = 0;
      await using server = await start((_, response) => {
        sent++;
        response.end('x'.repeat(known.bytes));
      }, known.pauseMs);
      const { connections } = known;
      const startMs = performance.now();
      const result = await load(server.port, { connections, ...order });
      assertTrue(benchmarker, result, { order, sent, ranSeconds: (performance.now() - startMs) / 1000 });
      // The checks after the load open up to as many again, and a loaded machine closes connections late.
      const problem = `opened ${server.mostConnections()} connections instead of ${connections}: pass connections to the tool`;
      assert.ok(server.mostConnections() <= 5 * connections, problem);
    },
  });
  const cases: readonly ContractCase[] = [
    reportsTruth(supports(['requests']) ? 'a number of requests' : 'a short time', answered),
    {
      name: 'sends path, query, headers, method and body, or rejects those as unsupported',
      async run() {
        const body = '[{"text": "\'quoted\' \\\\ \n ü"}]';
        const takesBody = supports(['method', 'body']);
        await using server = await start(async (request, response) => {
          const received = await text(request).catch(() => undefined);
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
        const error = await errorOf(load(server.port, { durationSeconds: 30 }, controller.signal));
        assert.equal(error, reason);
        await server.idle();
      },
    },
    {
      name: 'reports no rate if the server crashes during the load',
      async run() {
        // Early enough that the load tool sees the crash, not only the requests after the load.
        const answers = 10;
        let [pending, ofLoad] = [0, 0];
        await using server: TestServer = await start((_, response) => {
          // Before a load, an adapter sends one request at a time.
          if (++pending > 1 || ofLoad > 0) ofLoad++;
          if (ofLoad > answers) return server.die();
          setTimeout(() => {
            pending--;
            response.end();
          }, pauseMs);
        }, 0);
        const error = await errorOf(load(server.port));
        if (ofLoad <= answers) return;
        assertLoadError(benchmarker, error, noAnswer);
      },
    },
  ];
  // A load tool finds these in the same way with and without TLS.
  const withoutTls: readonly ContractCase[] = [
    reportsTruth('a duration', { durationSeconds: 5 * durationSeconds }),
    {
      name: 'reports no rate if no server listens',
      async run() {
        const server = await start(() => {});
        const { port } = server;
        await server[Symbol.asyncDispose]();
        await fails(port, ['ERR_BENCH_LOAD_UNREACHABLE']);
      },
    },
    twoFail(
      'are a 500',
      (_, response) => {
        response.statusCode = 500;
        response.end();
      },
      'non2xx',
      answered,
    ),
    twoFail(
      'end with their connection',
      // Over HTTP/2, the socket of a request ends only its stream.
      (request, response) => {
        response.setHeader('content-length', 1000);
        const end = () => ('stream' in request ? request.stream.session : request.socket)?.destroy();
        response.write('x'.repeat(10), end);
      },
      'readErrors',
    ),
    ...(supports(['timeoutSeconds'])
      ? [
          twoFail(
            'come later than timeoutSeconds',
            (_, response) => void setTimeout(() => response.end(), 1500),
            'timeouts',
            { timeoutSeconds: 1, durationSeconds: 5 },
          ),
        ]
      : []),
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
  const other = `expected a LoadError, not ${error}: return failed requests as connectErrors, readErrors, writeErrors, timeouts or non2xx`;
  assert.ok(error instanceof LoadError, other);
  const wrong = `expected ${codes.join(' or ')}, not ${error.code}: ${error.message}`;
  assert.ok(codes.includes(error.code), wrong);
  assert.ok(error.message.includes(benchmarker.name), `the message does not name ${benchmarker.name}`);
}

function errorOf(load: Promise<LoadResult>): Promise<unknown> {
  return load.then(
    ({ rate }) => `a rate of ${rate}`,
    (error: unknown) => error,
  );
}
