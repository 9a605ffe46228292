import { z } from 'zod';
import type { ToolReport } from './load-result.ts';

const count = z.int().nonnegative();

const resultSchema = z.object({
  connections: count,
  start: z.iso.datetime(),
  finish: z.iso.datetime(),
  errors: count,
  timeouts: count,
  non2xx: count,
  '1xx': count,
  '2xx': count,
  '3xx': count,
  '4xx': count,
  '5xx': count,
  requests: z.object({ total: count, sent: count }),
  throughput: z.object({ total: count }),
  latency: z.object({
    mean: z.number(),
    stddev: z.number(),
    p50: z.number(),
    p75: z.number(),
    p90: z.number(),
    p99: z.number(),
    p99_9: z.number(),
    max: z.number(),
  }),
});

/** @throws Error if the output of autocannon is not a result */
export function reportOf(stdout: string): ToolReport {
  const parsed = resultSchema.safeParse(JSON.parse(stdout));
  if (!parsed.success) throw new Error(z.prettifyError(parsed.error).replaceAll('\n', ' '));
  const result = parsed.data;
  const { errors, timeouts, non2xx, requests, connections, latency } = result;
  const answers = result['1xx'] + result['2xx'] + result['3xx'] + result['4xx'] + result['5xx'];
  // At the end, one request is pending per connection. More than that means that the server closed connections before it
  // answered: autocannon reopens them and does not report it.
  const lost = Math.max(0, requests.sent - answers - errors - connections);
  return {
    requests: answers,
    durationSeconds: (Date.parse(result.finish) - Date.parse(result.start)) / 1000,
    bytes: result.throughput.total,
    latency: {
      meanMs: latency.mean,
      stdevMs: latency.stddev,
      p50Ms: latency.p50,
      p75Ms: latency.p75,
      p90Ms: latency.p90,
      p99Ms: latency.p99,
      p999Ms: latency.p99_9,
      maxMs: latency.max,
      resolutionMs: 1,
    },
    // autocannon does not report in which phase a connection failed.
    readErrors: errors - timeouts + lost,
    timeouts,
    non2xx,
    status: {
      '1xx': result['1xx'],
      '2xx': result['2xx'],
      '3xx': result['3xx'],
      '4xx': result['4xx'],
      '5xx': result['5xx'],
    },
  };
}
