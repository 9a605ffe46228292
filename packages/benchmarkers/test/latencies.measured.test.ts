import { createServer } from 'node:http';
import { loadServer } from '@bench-cli/benchmarkers';
import { expect, it } from 'vitest';
import { Latencies } from '../src/latencies.ts';
import { listening } from './raw-server.ts';
import { autocannon, describeTools, h2load, openLoop, wrk } from './tool.ts';

/** How long each fiftieth answer takes. */
const slowMs = 1000;

await describeTools([wrk, autocannon, h2load, openLoop], 'reports its latencies', (benchmarker) => {
  it('by percentile, of the requests that were sent, not corrected for those that had to wait', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      setTimeout(() => response.end(), ++asked % 50 === 0 ? slowMs : asked % 20);
    });
    const port = await listening(server);
    const order = { port, connections: 20, durationSeconds: 3, benchmarker: benchmarker.name };
    const { p50Ms, p75Ms, p90Ms, p99Ms, p999Ms, maxMs } = (await loadServer(order)).latency;
    server.close();
    // Of each twenty answers, one each takes 0, 1 ... 19 ms, or longer. A timer can be a millisecond early.
    expect(p50Ms).toBeGreaterThan(7);
    expect(p75Ms).toBeGreaterThan(12);
    expect(p90Ms).toBeGreaterThan(15);
    expect(p90Ms).toBeLessThan(0.5 * slowMs);
    expect(p99Ms).toBeGreaterThanOrEqual(p90Ms ?? Number.NaN);
    expect(p999Ms).toBeGreaterThan(0.98 * slowMs);
    expect(maxMs).toBeGreaterThanOrEqual(p999Ms ?? Number.NaN);
  });
});

it('percentiles of latencies are exact to three digits', () => {
  const latencies = new Latencies();
  for (let ms = 1; ms <= 100; ms++) latencies.record(ms, 10);
  expect(latencies.count).toBe(1000);
  const { meanMs, p50Ms, p99Ms, ...most } = latencies.figures;
  expect(most).toMatchObject({ maxMs: 100, p999Ms: 100 });
  expect(meanMs).toBeCloseTo(50.5, 1);
  expect(p50Ms).toBeCloseTo(50, 1);
  expect(p99Ms).toBeCloseTo(99, 1);
});
