import { createRequire } from 'node:module';
import type { Availability, Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
import type { Amount, CheckedRequest, LoadRequest } from './load-request.ts';
import type { ToolReport } from './load-result.ts';
import { byStatusClass, type StatusClass } from './status-class.ts';

export interface AutocannonOptions {
  /**
   * The Node.js that runs autocannon. To compare runtimes, use the same one for all of them. Default: the one that runs
   * this process.
   */
  readonly node?: string | undefined;
}

/** autocannon, which this package contains, so it is always available. It runs in a separate process. */
export const autocannon: Benchmarker = createAutocannon();

export function createAutocannon({ node = process.execPath }: AutocannonOptions = {}): Benchmarker {
  return defineBenchmarker({
    name: 'autocannon',
    protocols: ['http', 'https'],
    supports: ['method', 'body', 'mix', 'expectStatus', 'pipelining', 'timeoutSeconds', 'requests'],
    closedLoop: true,
    tool: { locate: () => locate(node) },
    async argumentsFor(request, files) {
      const { connections, method, headers, body, mix, pipelining = 1, timeoutSeconds, url } = request;
      return [
        ...['-j', '-n', ...amountArguments(request.amount, connections), '-m', method],
        ...['-p', String(pipelining)],
        ...(mix === undefined ? [] : ['--har', await files.write('requests.har', archiveOf(mix))]),
        ...(timeoutSeconds === undefined ? [] : ['-t', String(timeoutSeconds)]),
        ...Object.entries(headers).flatMap(([name, value]) => ['-H', unbracketed(`${name}=${value}`)]),
        // autocannon would parse an argument that is a number or is in brackets.
        ...(body === undefined ? [] : ['-i', await files.write('body', body)]),
        url.replace(/\]$/, '%5D'),
      ];
    },
    parse: ({ stdout }, request) => reportOf(JSON.parse(stdout), request),
  });
}

/** autocannon stops only at the end of a sample. */
function amountArguments(amount: Amount, connections: number): readonly string[] {
  if (amount.kind === 'requests') {
    // It refuses more connections than requests.
    const used = Math.min(connections, amount.requests);
    return ['-c', String(used), '-a', String(amount.requests), '-L', '10'];
  }
  const { seconds } = amount;
  // Samples of at most a second that add up to the duration.
  const sampleMs = Math.max(1, Math.floor((seconds * 1000) / Math.ceil(seconds)));
  return ['-c', String(connections), '-d', String(seconds), '-L', String(sampleMs)];
}

/** The requests as an HTTP archive, of which autocannon sends one after the other. */
function archiveOf(mix: readonly CheckedRequest[]): string {
  const entries = mix.map(({ url, method, headers, body }) => ({
    request: {
      ...{ url, method, headers: Object.entries(headers).map(([name, value]) => ({ name, value })) },
      ...(body !== undefined && { postData: { text: body } }),
    },
  }));
  return JSON.stringify({ log: { entries } });
}

async function locate(node: string): Promise<Availability> {
  const require = createRequire(import.meta.url);
  const { version }: { readonly version: string } = require('#autocannon/package.json');
  return { available: true, command: [node, require.resolve('#autocannon')], version };
}

/** autocannon treats a closing bracket at the end of an argument as the end of a list of arguments. */
function unbracketed(argument: string): string {
  return argument.endsWith(']') ? `${argument} ` : argument;
}

/** The used part of the result. */
interface Output
  extends Readonly<Record<StatusClass | 'connections' | 'errors' | 'timeouts' | 'non2xx', number>> {
  readonly start: string;
  readonly finish: string;
  readonly requests: { readonly sent: number };
  readonly throughput: { readonly total: number };
  readonly latency: Readonly<Record<string, number>>;
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
}

/** Figures that are missing become NaN, which no report may contain; a report without a count of failures would have none. */
function reportOf(output: Output, { amount, expectStatus, pipelining = 1 }: LoadRequest): ToolReport {
  const { start, finish, connections, errors, timeouts, requests, throughput, latency } = output;
  const status = byStatusClass((name) => output[name]);
  const answers = Object.values(status).reduce((sum, count) => sum + count, 0);
  const right = expectStatus === undefined ? undefined : (output.statusCodeStats[expectStatus]?.count ?? 0);
  // At the end of a time, each connection has pending requests. More than that means that the server closed connections before it
  // answered: autocannon reopens them and does not report it.
  const pending = amount.kind === 'time' ? connections * pipelining : 0;
  const lost = Math.max(0, requests.sent - answers - errors - pending);
  const ms = (name: string) => Number(latency[name]);
  return {
    requests: answers,
    durationSeconds: (Date.parse(finish) - Date.parse(start)) / 1000,
    bytes: Number(throughput.total),
    latency: {
      ...{ meanMs: ms('mean'), stdevMs: ms('stddev'), maxMs: ms('max'), resolutionMs: 1 },
      ...{ p50Ms: ms('p50'), p75Ms: ms('p75'), p90Ms: ms('p90'), p99Ms: ms('p99'), p999Ms: ms('p99_9') },
    },
    // autocannon does not report in which phase a connection failed.
    readErrors: errors - timeouts + lost,
    timeouts,
    non2xx: right === undefined ? Number(output.non2xx) : answers - right,
    status,
  };
}
