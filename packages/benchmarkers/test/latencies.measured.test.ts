import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadServer } from '@bench-cli/benchmarkers';
import { expect, it } from 'vitest';
import { Latencies } from '../src/latencies.ts';
import { autocannon, describeTools, h2load, openLoop, wrk } from './tool.ts';

/** How long the server does not answer, once, after some answers. */
const stallMs = 600;

/** Loads a server that answers within 20 ms, and stalls once. */
async function loadStalling(benchmarker: string) {
  let asked = 0;
  let endMs = 0;
  const server = createServer((_, response) => {
    if (++asked === 40) endMs = performance.now() + stallMs;
    setTimeout(() => response.end(), Math.max(asked % 20, endMs - performance.now()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const { latency } = await loadServer({ port, connections: 4, durationSeconds: 2, benchmarker });
  server.close();
  return latency;
}

await describeTools([wrk, autocannon, h2load, openLoop], 'reports its latencies', (benchmarker) => {
  it('by percentile, with the longest of a stall', async () => {
    const { p50Ms, p75Ms, p90Ms, p99Ms, p999Ms, maxMs } = await loadStalling(benchmarker.name);
    // Of each twenty answers, one each takes 0, 1 ... 19 ms, or longer. A timer can be a millisecond early.
    expect(p50Ms).toBeGreaterThan(8);
    expect(p75Ms).toBeGreaterThan(13);
    expect(p90Ms).toBeGreaterThan(16);
    expect(p99Ms).toBeGreaterThanOrEqual(p90Ms ?? Number.NaN);
    expect(p999Ms).toBeGreaterThanOrEqual(p99Ms ?? Number.NaN);
    expect(maxMs).toBeGreaterThan(0.8 * stallMs);
  });

  it('of the requests that were sent, not corrected for those that had to wait', async () => {
    let asked = 0;
    const server = createServer(
      (_, response) => void setTimeout(() => response.end(), ++asked % 50 === 0 ? 1000 : 2),
    );
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const order = { port, connections: 20, durationSeconds: 3, benchmarker: benchmarker.name };
    const { p90Ms, maxMs } = (await loadServer(order)).latency;
    server.close();
    expect(maxMs).toBeGreaterThan(980);
    expect(p90Ms).toBeLessThan(0.5 * (maxMs ?? 0));
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
