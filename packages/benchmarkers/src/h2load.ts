import { open } from 'node:fs/promises';
import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import type { Amount, LoadRequest } from './load-request.ts';
import { toMs } from './load-result.ts';
import type { TemporaryFiles } from './temporary-files.ts';

/** It never ends if a server closes each connection without announcing it. */
const closing = ['ends with body', 'closes connections'] as const;

/** h2load of nghttp2: the default for HTTP/2, over TLS or in cleartext; HTTP/1.1 on request. */
export const h2load: Benchmarker = defineBenchmarker({
  name: 'h2load',
  protocols: ['http2', 'http', 'https'],
  supports: [
    ...(['method', 'body', 'timeoutSeconds', 'requests', 'socketPath', 'threads', 'clients'] as const),
    ...(['maxConcurrentStreams', 'initialWindowSize', 'sessionInitialWindowSize'] as const),
    ...(['rate', 'ratePeriod', 'headerTableSize', 'encoderHeaderTableSize'] as const),
  ],
  closedLoop: true,
  cannotLoad: {
    ...{ http: closing, https: closing },
    // It takes the first status for that of the answer, and does not reopen a connection.
    http2: ['interim answers', 'limits connections'],
  },
  tool: {
    program: 'h2load',
    versionPattern: /nghttp2\/(\d+\.\d+\.\d+)/,
    minimumVersion: '1.40.0',
    install: 'Debian: apt-get install nghttp2-client; macOS: brew install nghttp2',
  },
  async argumentsFor(request, files) {
    const { amount, method, headers, body, timeoutSeconds } = request;
    const [time, count] = amount.kind === 'time' ? [amount, undefined] : [undefined, amount];
    const options = {
      // It refuses more connections than requests.
      c: Math.min(request.connections, count?.requests ?? request.connections),
      D: milliseconds(time?.seconds),
      n: count?.requests,
      T: milliseconds(count?.atMostSeconds),
      t: request.threads,
      m: request.maxConcurrentStreams,
      w: request.initialWindowSize,
      W: request.sessionInitialWindowSize,
      r: request.rate,
      'rate-period': request.ratePeriod,
      // With a duration, h2load aborts at the first timeout.
      N: count && milliseconds(timeoutSeconds),
      'header-table-size': request.headerTableSize,
      'encoder-header-table-size': request.encoderHeaderTableSize,
      'log-file': isLogged(amount) ? await files.path(LOG) : undefined,
      'base-uri': request.socketPath && `unix:${request.socketPath}`,
      d: body === undefined ? undefined : await files.write('body', body),
    };
    return [
      // Otherwise h2load accepts whatever protocol the server offers.
      ...(request.protocol === 'http2' ? ['--npn-list=h2'] : ['--h1']),
      ...Object.entries(options).flatMap(([name, value]) => {
        if (value === undefined) return [];
        return name.length > 1 ? [`--${name}=${value}`] : [`-${name}`, `${value}`];
      }),
      ...(method === (body === undefined ? 'GET' : 'POST') ? [] : ['-H', `:method: ${method}`]),
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      request.url,
    ];
  },
  async parse({ stdout }, request, files) {
    const finished = match(stdout, /^finished in ([\d.]+)(us|ms|s|m|h), ([\d.]+) req\/s/m, 'the duration');
    const [succeeded = 0, failed = 0, errored = 0, timeouts = 0] = numbers(
      stdout,
      /^requests: \d+ total, \d+ started, \d+ done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout/m,
      'the number of requests',
    );
    const [status2xx = 0, status3xx = 0, status4xx = 0, status5xx = 0] = numbers(
      stdout,
      /^status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx/m,
      'the status codes',
    );
    const [bytes = 0] = numbers(stdout, /^traffic: \S+ \((\d+)\) total/m, 'the traffic');
    const times = match(
      stdout,
      /^time for request: +\S+ +([\d.]+)(us|ms|s|m) +([\d.]+)(us|ms|s|m) +([\d.]+)(us|ms|s|m)/m,
      'the time for a request',
    );
    const eachPerSecond = Number(/^req\/s +: +[\d.]+ +[\d.]+ +([\d.]+)/m.exec(stdout)?.[1]);
    checkProtocol(stdout, request);
    // Statuses are counted when headers arrive, so there can be a few more of them than complete answers.
    const maxMs = toMs(times[1], times[2]);
    const isLate = maxMs > request.timeoutSeconds * 1000;
    const badStatuses = Math.min(failed - errored, status4xx + status5xx);
    const perSecond = Number(finished[3]);
    return {
      requests: succeeded + badStatuses,
      durationSeconds: durationOf(request, perSecond, succeeded + failed - errored, finished),
      bytes,
      latency: {
        maxMs,
        meanMs: toMs(times[3], times[4]),
        stdevMs: toMs(times[5], times[6]),
      },
      ...(isLogged(request.amount) && (await loggedLatencies(files, succeeded + failed - errored))),
      readErrors: failed - badStatuses - timeouts + lostConnections(perSecond, eachPerSecond, request),
      timeouts: Math.max(timeouts, isLate ? 1 : 0),
      non2xx: badStatuses + Math.min(succeeded, status3xx),
      status: { '2xx': status2xx, '3xx': status3xx, '4xx': status4xx, '5xx': status5xx },
    };
  },
});

/** The file with about 30 bytes per answer. Longer loads have none, because it could fill the disk. */
const LOG = 'answers.log';
const MOST_LOGGED = { seconds: 60, requests: 2_000_000 };

function isLogged(amount: Amount): boolean {
  return amount.kind === 'time'
    ? amount.seconds <= MOST_LOGGED.seconds
    : amount.requests <= MOST_LOGGED.requests;
}

/** The latencies of the log: nothing if it does not have all answers, as on a disk that is full. */
async function loggedLatencies(files: TemporaryFiles, answers: number) {
  const { Latencies } = await import('./latencies.ts');
  const latencies = new Latencies();
  await using log = await open(await files.path(LOG));
  for await (const line of log.readLines()) {
    const [, status = -1, us = Number.NaN] = line.split('\t').map(Number);
    if (status >= 0 && !Number.isNaN(us)) latencies.record(us / 1000);
  }
  return latencies.count < answers ? {} : { latency: latencies.figures };
}

/**
 * The time that h2load's own rate refers to. For a duration, h2load counts only the answers within it, but
 * the time that it prints includes opening and closing the connections. For a number of requests they are
 * part of the measured time, of which h2load prints only two digits, so it is computed from the rate.
 */
function durationOf(
  { amount }: LoadRequest,
  perSecond: number,
  answers: number,
  [, value, unit]: RegExpExecArray,
): number {
  if (amount.kind === 'time') return wholeMs(amount.seconds) / 1000;
  return perSecond > 0 ? answers / perSecond : toMs(value, unit) / 1000;
}

/**
 * When a connection ends during the load, h2load neither reopens it nor reports an error. It can be seen only
 * in the rates of the connections: each is over the lifetime of its connection, so their sum then exceeds the
 * total rate.
 */
function lostConnections(perSecond: number, eachPerSecond: number, { amount, connections }: LoadRequest) {
  if (amount.kind === 'requests' || !(eachPerSecond > 0)) return 0;
  const alive = perSecond / (eachPerSecond * connections);
  return alive > 0.98 ? 0 : Math.max(1, Math.round((1 - alive) * connections));
}

function milliseconds(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : `${wholeMs(seconds)}ms`;
}

/** h2load accepts whole numbers only. */
function wholeMs(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

function checkProtocol(stdout: string, { protocol }: LoadRequest): void {
  const used = /^Application protocol: (\S+)/m.exec(stdout)?.[1];
  const expected = protocol === 'http2' ? ['h2', 'h2c'] : ['http/1.1'];
  if (used !== undefined && !expected.includes(used)) {
    throw new Error(`it used ${used} instead of ${expected.join(' or ')}`);
  }
}

function match(text: string, pattern: RegExp, what: string): RegExpExecArray {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`${what} is missing`);
  return found;
}

/** The groups of a match, all of which are numbers. */
function numbers(text: string, pattern: RegExp, what: string): readonly number[] {
  return match(text, pattern, what).slice(1).map(Number);
}
