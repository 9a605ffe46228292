import type { Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import type { Amount, LoadRequest } from './load-options.ts';

/** h2load of nghttp2: the one for HTTP/2, over TLS or in cleartext with prior knowledge; HTTP/1.1 if asked for. */
export const h2load: Benchmarker = defineBenchmarker({
  name: 'h2load',
  protocols: ['http2', 'http', 'https'],
  supports: [
    'method',
    'body',
    'timeoutSeconds',
    'requests',
    'threads',
    'clients',
    'maxConcurrentStreams',
    'initialWindowSize',
    'sessionInitialWindowSize',
    'rate',
    'ratePeriod',
    'headerTableSize',
    'encoderHeaderTableSize',
  ],
  tool: {
    program: 'h2load',
    versionPattern: /nghttp2\/(\d+\.\d+\.\d+)/,
    minimumVersion: '1.40.0',
    install: 'Debian: apt-get install nghttp2-client; macOS: brew install nghttp2',
  },
  async argumentsFor(request, files) {
    const { method, headers, body } = request;
    const numbers: readonly (readonly [string, number | string | undefined])[] = [
      ['-c', request.connections],
      ['-t', request.threads],
      ['-m', request.maxConcurrentStreams],
      ['-w', request.initialWindowSize],
      ['-W', request.sessionInitialWindowSize],
      ['-r', request.rate],
      ['--rate-period', request.ratePeriod],
      ['-N', request.timeoutSeconds === undefined ? undefined : milliseconds(request.timeoutSeconds)],
      ['--header-table-size', request.headerTableSize],
      ['--encoder-header-table-size', request.encoderHeaderTableSize],
    ];
    return [
      // Without a word, h2load would use what the server offers instead.
      ...(request.protocol === 'http2' ? ['--npn-list=h2'] : ['--h1']),
      ...amountArguments(request.amount),
      ...numbers.flatMap(([flag, value]) => (value === undefined ? [] : argument(flag, value))),
      ...(body === undefined ? [] : ['-d', await files.write('body', body)]),
      ...(method === (body === undefined ? 'GET' : 'POST') ? [] : ['-H', `:method: ${method}`]),
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      request.url,
    ];
  },
  parse({ stdout }, request) {
    const finished = match(
      stdout,
      /^finished in ([\d.]+)(us|ms|s|m|h), ([\d.]+) req\/s/m,
      'how long it took',
    );
    const requests = match(
      stdout,
      /^requests: \d+ total, \d+ started, \d+ done, (\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout/m,
      'the number of requests',
    );
    const status = match(
      stdout,
      /^status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx/m,
      'the status codes',
    );
    const traffic = match(stdout, /^traffic: \S+ \((\d+)\) total/m, 'the traffic');
    const times = match(
      stdout,
      /^time for request: +\S+ +([\d.]+)(us|ms|s|m) +([\d.]+)(us|ms|s|m) +([\d.]+)(us|ms|s|m)/m,
      'the time for a request',
    );
    const eachPerSecond = Number(/^req\/s +: +[\d.]+ +[\d.]+ +([\d.]+)/m.exec(stdout)?.[1]);
    checkProtocol(stdout, request);
    const [succeeded, failed, errored, timeouts] = requests.slice(1).map(int) as [
      number,
      number,
      number,
      number,
    ];
    const [status2xx, status3xx, status4xx, status5xx] = status.slice(1).map(int) as [
      number,
      number,
      number,
      number,
    ];
    // Statuses are counted when the headers come, so there may be a few more of them than complete answers.
    const badStatuses = Math.min(failed - errored, status4xx + status5xx);
    const perSecond = Number(finished[3]);
    return {
      requests: succeeded + badStatuses,
      durationSeconds: durationOf(request, perSecond, succeeded + failed - errored, finished),
      bytes: int(traffic[1]),
      latency: {
        maxMs: toMs(times[1], times[2]),
        meanMs: toMs(times[3], times[4]),
        stdevMs: toMs(times[5], times[6]),
      },
      readErrors: failed - badStatuses - timeouts + lostConnections(perSecond, eachPerSecond, request),
      timeouts,
      non2xx: badStatuses + Math.min(succeeded, status3xx),
      status: { '2xx': status2xx, '3xx': status3xx, '4xx': status4xx, '5xx': status5xx },
    };
  },
  // h2load takes a stream that the server gave up without an error for a success.
  async verify(request, when, signal) {
    if (when === 'before') return undefined;
    const { requestOnce } = await import('./request-once.ts');
    const problem = await requestOnce(request, signal);
    return problem && `asked once more after the load, the server did not answer in full: ${problem}`;
  },
});

/**
 * The time that h2load's own rate is for. With a time to load for, it counts the answers of that time and no longer; the
 * time that it prints has the opening and closing of connections, too. With a number of requests these belong to it; two
 * digits of it are printed, and the rate tells more.
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
 * When a connection ends during a time to load for, h2load neither opens it again nor calls it an error. It shows only in
 * the rates of the connections, each over its own lifetime: together they are then higher than the rate of all.
 */
function lostConnections(
  perSecond: number,
  eachPerSecond: number,
  { amount, connections }: LoadRequest,
): number {
  if (amount.kind === 'requests' || !(eachPerSecond > 0)) return 0;
  const alive = perSecond / (eachPerSecond * connections);
  return alive > 0.98 ? 0 : Math.max(1, Math.round((1 - alive) * connections));
}

function amountArguments(amount: Amount): readonly string[] {
  if (amount.kind === 'time') return ['-D', milliseconds(amount.seconds)];
  const { requests, atMostSeconds } = amount;
  return [
    '-n',
    String(requests),
    ...(atMostSeconds === undefined ? [] : ['-T', milliseconds(atMostSeconds)]),
  ];
}

function argument(flag: string, value: number | string): readonly string[] {
  return flag.startsWith('--') ? [`${flag}=${value}`] : [flag, String(value)];
}

function milliseconds(seconds: number): string {
  return `${wholeMs(seconds)}ms`;
}

/** h2load reads whole numbers only. */
function wholeMs(seconds: number): number {
  return Math.max(1, Math.round(seconds * 1000));
}

function checkProtocol(stdout: string, { protocol }: LoadRequest): void {
  const spoken = /^Application protocol: (\S+)/m.exec(stdout)?.[1];
  const expected = protocol === 'http2' ? ['h2', 'h2c'] : ['http/1.1'];
  if (spoken !== undefined && !expected.includes(spoken)) {
    throw new Error(`it spoke ${spoken} instead of ${expected.join(' or ')}`);
  }
}

function match(text: string, pattern: RegExp, what: string): RegExpExecArray {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`${what} is missing`);
  return found;
}

function int(text: string | undefined): number {
  return Number(text);
}

const unitMs: Readonly<Record<string, number>> = { us: 1e-3, ms: 1, s: 1e3, m: 60e3, h: 3600e3 };

function toMs(value: string | undefined, unit: string | undefined): number {
  return Number(value) * (unitMs[unit ?? ''] ?? Number.NaN);
}
