import { createRequire } from 'node:module';
import type { Availability, Benchmarker } from './benchmarker.ts';
import { defineBenchmarker } from './define-benchmarker.ts';
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
    supports: ['method', 'body', 'timeoutSeconds'],
    closedLoop: true,
    tool: { locate: () => locate(node) },
    async argumentsFor({ amount, connections, method, headers, body, timeoutSeconds, url }, files) {
      const seconds = amount.kind === 'time' ? amount.seconds : 0;
      // autocannon stops only at the end of a sample: samples of at most a second that add up to the duration.
      const sampleMs = Math.max(1, Math.floor((seconds * 1000) / Math.ceil(seconds)));
      return [
        ...['-j', '-n', '-c', String(connections), '-d', String(seconds)],
        ...['-L', String(sampleMs), '-m', method],
        ...(timeoutSeconds === undefined ? [] : ['-t', String(timeoutSeconds)]),
        ...Object.entries(headers).flatMap(([name, value]) => ['-H', unbracketed(`${name}=${value}`)]),
        // autocannon would parse an argument that is a number or is in brackets.
        ...(body === undefined ? [] : ['-i', await files.write('body', body)]),
        url.replace(/\]$/, '%5D'),
      ];
    },
    parse: ({ stdout }) => reportOf(JSON.parse(stdout)),
  });
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
}

/** Figures that are missing become NaN, which no report may contain; a report without a count of failures would have none. */
function reportOf(output: Output): ToolReport {
  const { start, finish, connections, errors, timeouts, requests, throughput, latency } = output;
  const status = byStatusClass((name) => output[name]);
  const answers = Object.values(status).reduce((sum, count) => sum + count, 0);
  // At the end, one request is pending per connection. More than that means that the server closed connections before it
  // answered: autocannon reopens them and does not report it.
  const lost = Math.max(0, requests.sent - answers - errors - connections);
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
    non2xx: Number(output.non2xx),
    status,
  };
}
