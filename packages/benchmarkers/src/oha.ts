import { z } from 'zod';
import type { Benchmarker } from './benchmarker.ts';
import { byStatusClass, defineBenchmarker } from './define-benchmarker.ts';

/**
 * oha, a tool for a rate of requests that does not depend on the answers. Its HTTP/2 counts answers that end
 * in the middle as successes, so HTTP/2 is not supported.
 */
export const oha: Benchmarker = defineBenchmarker({
  name: 'oha',
  protocols: ['http', 'https'],
  supports: ['method', 'body', 'expectStatus', 'timeoutSeconds', 'requests', 'arrivalRate', 'socketPath'],
  closedLoop: true,
  tool: {
    program: 'oha',
    minimumVersion: '1.10.0',
    install: 'cargo install --locked oha; macOS: brew install oha',
  },
  async argumentsFor(request, files) {
    const { amount, arrivalRate, connections, method, headers, body, timeoutSeconds, socketPath, url } =
      request;
    return [
      ...['--no-tui', '--output-format', 'json', '--insecure', '--redirect', '0'],
      ...(amount.kind === 'time' ? ['-z', `${amount.seconds * 1000}ms`] : ['-n', `${amount.requests}`]),
      ...['-c', `${connections}`, '-m', method],
      ...(arrivalRate === undefined ? [] : ['-q', `${arrivalRate}`, '--latency-correction']),
      ...['-t', `${timeoutSeconds * 1000}ms`],
      ...Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
      ...(body === undefined ? [] : ['-D', await files.write('body', body)]),
      ...(socketPath === undefined ? [] : ['--unix-socket', socketPath]),
      url,
    ];
  },
  parse({ stdout }, { expectStatus }) {
    const { summary, latencyPercentiles, ...counts } = outputSchema.parse(JSON.parse(stdout));
    const { statusCodeDistribution: status, errorDistribution: errors } = counts;
    const answers = sum(status, () => true);
    const byClass = byStatusClass(([first = '']) => sum(status, (code) => code.startsWith(first)));
    const ms = (name: string) => inMs(latencyPercentiles[name]);
    return {
      requests: answers,
      durationSeconds: summary.total,
      bytes: summary.totalData,
      latency: {
        meanMs: inMs(summary.average),
        maxMs: inMs(summary.slowest),
        ...{ p50Ms: ms('p50'), p75Ms: ms('p75'), p90Ms: ms('p90'), p99Ms: ms('p99'), p999Ms: ms('p99.9') },
      },
      // Requests that are pending at the end are no failures of the server.
      readErrors: sum(errors, (error) => error !== 'aborted due to deadline' && error !== 'timeout'),
      timeouts: errors['timeout'] ?? 0,
      non2xx: answers - (expectStatus === undefined ? byClass['2xx'] : (status[expectStatus] ?? 0)),
      status: byClass,
    };
  },
});

const seconds = z.number().nullable().optional();

const outputSchema = z.object({
  summary: z.object({ total: z.number(), totalData: z.number(), average: seconds, slowest: seconds }),
  latencyPercentiles: z.record(z.string(), seconds),
  statusCodeDistribution: z.record(z.string(), z.number()),
  errorDistribution: z.record(z.string(), z.number()),
});

function sum(counts: Readonly<Record<string, number>>, isMeant: (name: string) => boolean): number {
  return Object.entries(counts).reduce((total, [name, count]) => total + (isMeant(name) ? count : 0), 0);
}

function inMs(value: number | null | undefined): number | null {
  return value == null ? null : value * 1000;
}
