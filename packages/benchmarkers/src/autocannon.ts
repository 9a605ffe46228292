import { createRequire } from 'node:module';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Availability, Benchmarker } from './benchmarker.ts';
import { byStatusClass, defineBenchmarker, type StatusClass } from './define-benchmarker.ts';
import type { LoadRequest } from './load-request.ts';
import type { ToolReport } from './load-result.ts';

export interface AutocannonOptions {
  /**
   * The Node.js that runs autocannon. Use the same one for all runtimes that are compared.
   * Default: the one that runs this process.
   */
  readonly node?: string | undefined;
}

/** It counts an interim answer as one, and does not report connections that end. */
const habits = ['interim answers', 'ends with body', 'closes connections', 'limits connections'] as const;

/** autocannon, which this package contains, so it is always available. It runs in a separate process. */
export const autocannon: Benchmarker = createAutocannon();

export function createAutocannon({ node = process.execPath }: AutocannonOptions = {}): Benchmarker {
  return defineBenchmarker({
    name: 'autocannon',
    protocols: ['http', 'https'],
    supports: [
      ...(['method', 'body', 'mix', 'expectStatus', 'pipelining'] as const),
      ...(['timeoutSeconds', 'requests', 'socketPath'] as const),
    ],
    closedLoop: true,
    cannotLoad: { http: habits, https: habits },
    tool: { locate: () => locate(node) },
    async argumentsFor(request, files) {
      const { connections, amount, pipelining = 1, timeoutSeconds } = request;
      const { socketPath, url, mix = [request] } = request;
      const requests = mix.map(({ method, path, headers, body }) => ({ method, path, headers, body }));
      const options = {
        ...{ url, socketPath, pipelining, timeout: timeoutSeconds },
        // It stops only at the end of a sample, and refuses more connections than requests.
        ...(amount.kind === 'requests'
          ? { connections: Math.min(connections, amount.requests), amount: amount.requests, sampleInt: 10 }
          : { connections, duration: amount.seconds, sampleInt: sampleMs(amount.seconds) }),
      };
      // A command line cannot be as long as a body.
      return [JSON.stringify(options), await files.write('requests.json', JSON.stringify(requests))];
    },
    parse: ({ stdout }, request) => reportOf(JSON.parse(stdout), request),
  });
}

/** Samples of at most a second that add up to the duration. */
function sampleMs(seconds: number): number {
  return Math.max(1, Math.floor((seconds * 1000) / Math.ceil(seconds)));
}

async function locate(node: string): Promise<Availability> {
  const { version }: { readonly version: string } = createRequire(import.meta.url)(
    '#autocannon/package.json',
  );
  const program = new URL(`./autocannon-process${extname(import.meta.url)}`, import.meta.url);
  return { available: true, command: [node, fileURLToPath(program)], version };
}

/** The used part of the result. */
interface Output
  extends Readonly<Record<StatusClass | 'connections' | 'errors' | 'timeouts' | 'non2xx', number>>,
    Required<Pick<ToolReport, 'latency'>> {
  readonly start: string;
  readonly finish: string;
  readonly requests: { readonly sent: number };
  readonly throughput: { readonly total: number };
  readonly statusCodeStats: Readonly<Record<string, { readonly count: number }>>;
}

/** Missing figures become NaN, which no report may contain; a missing count of failures would become 0. */
function reportOf(output: Output, { amount, expectStatus, pipelining = 1 }: LoadRequest): ToolReport {
  const { start, finish, connections, errors, timeouts, requests, throughput, latency } = output;
  const status = byStatusClass((name) => output[name]);
  const answers = Object.values(status).reduce((sum, count) => sum + count, 0);
  const right = expectStatus === undefined ? undefined : (output.statusCodeStats[expectStatus]?.count ?? 0);
  // At the end of a time, each connection has pending requests. If more are missing, the server closed
  // connections before it answered: autocannon reopens connections without a report.
  const pending = amount.kind === 'time' ? connections * pipelining : 0;
  const lost = Math.max(0, requests.sent - answers - errors - pending);
  return {
    requests: answers,
    durationSeconds: (Date.parse(finish) - Date.parse(start)) / 1000,
    bytes: Number(throughput.total),
    latency,
    // autocannon does not report in which phase a connection failed.
    readErrors: errors - timeouts + lost,
    timeouts,
    non2xx: right === undefined ? Number(output.non2xx) : answers - right,
    status,
  };
}
