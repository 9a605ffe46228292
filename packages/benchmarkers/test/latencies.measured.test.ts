import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadServer } from '@bench-cli/benchmarkers';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { describe, expect, it } from 'vitest';
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
  const load = { port, connections: 4, durationSeconds: 2, benchmarker };
  const { histograms = { partSeconds: 0, parts: [] }, ...result } = await loadServer(load);
  server.close();
  return {
    ...result,
    ...histograms,
    parts: histograms.parts.map((part) => decodeFromCompressedBase64(part)),
  };
}

await describeTools([wrk, autocannon, h2load, openLoop], 'reports its latencies', (benchmarker) => {
  it('as histograms, with percentiles as it reports them, and a stall where its requests were sent', async () => {
    const { parts, partSeconds, latency, requests } = await loadStalling(benchmarker.name);
    // wrk reports no times.
    if (benchmarker !== wrk) {
      const slow = parts.flatMap(({ maxValue }, at) => (maxValue > 500 * stallMs ? [at * partSeconds] : []));
      expect(slow.length).toBeGreaterThan(0);
      expect(slow[0]).toBeLessThan(0.8);
      expect(parts.length).toBeGreaterThan(10);
      expect(parts.length * partSeconds).toBeGreaterThan(1.5);
    }
    const [all = expect.fail('no histogram'), ...others] = parts;
    all.autoResize = true;
    for (const part of others) all.add(part);
    // wrk adds those of the requests that it could not send in time.
    expect(all.totalCount).toBeGreaterThanOrEqual(requests);
    // The tool and the library can take neighbours of a place between two answers. Values have two digits.
    const place = 1.5 * (100 / all.totalCount);
    const valueAt = (percentile: number) => all.getValueAtPercentile(Math.min(100, percentile)) / 1000;
    const { p50Ms, p75Ms, p90Ms, p99Ms, p999Ms } = latency;
    for (const [at, percentile] of [50, 75, 90, 99, 99.9].entries()) {
      const ms = [p50Ms, p75Ms, p90Ms, p99Ms, p999Ms][at];
      expect(ms).toBeGreaterThanOrEqual(0.98 * valueAt(percentile - place));
      expect(ms).toBeLessThanOrEqual(1.02 * valueAt(percentile + place));
    }
  });
});

describe('latencies', () => {
  it('are in parts, which double with the load', () => {
    const latencies = new Latencies();
    for (let at = 0; at < 1000; at++) latencies.record(1 + (at % 100), at / 100);
    const { histograms, latency } = latencies.report;
    const parts = histograms.parts.map((part) => decodeFromCompressedBase64(part));
    expect(histograms.partSeconds).toBe(0.5);
    expect(parts.map(({ totalCount }) => totalCount)).toEqual(Array.from({ length: 20 }, () => 50));
    // The first part has 1 to 50 ms, the second one 51 to 100 ms.
    expect(parts.slice(0, 2).map((part) => Math.round(part.getValueAtPercentile(50) / 1000))).toEqual([
      25, 75,
    ]);
    expect(latency).toMatchObject({ maxMs: 100, p999Ms: 100 });
    expect(latency.meanMs).toBeCloseTo(50.5, 1);
    expect(latency.p50Ms).toBeCloseTo(50, 1);
  });

  it('of a load without answers have no part', () => {
    expect(new Latencies().report.histograms.parts).toEqual([]);
  });
});
