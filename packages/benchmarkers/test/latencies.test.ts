import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadServer } from '@bench-cli/benchmarkers';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import { expect, it } from 'vitest';
import { describeTool, openLoop, wrk } from './tool.ts';

for (const benchmarker of [wrk, openLoop]) {
  await describeTool(benchmarker, 'reports its latencies', () => {
    it('as a histogram, whose percentiles are those that it reports', async () => {
      let asked = 0;
      const server = createServer((_, response) => void setTimeout(() => response.end(), asked++ % 20));
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const load = { port, connections: 4, durationSeconds: 1, benchmarker: benchmarker.name };
      const { histogram = '', latency, requests } = await loadServer(load);
      server.close();
      const latencies = decodeFromCompressedBase64(histogram);
      // wrk adds those of the requests that it could not send in time.
      expect(latencies.totalCount).toBeGreaterThanOrEqual(requests);
      // The tool and the library can take neighbours of a place between two answers. Values have three digits.
      const place = 1.5 * (100 / latencies.totalCount);
      const valueAt = (percentile: number) =>
        latencies.getValueAtPercentile(Math.min(100, percentile)) / 1000;
      for (const [percentile, ms] of [
        [50, latency.p50Ms],
        [75, latency.p75Ms],
        [90, latency.p90Ms],
        [99, latency.p99Ms],
        [99.9, latency.p999Ms],
      ] as const) {
        expect(ms).toBeGreaterThanOrEqual(0.998 * valueAt(percentile - place));
        expect(ms).toBeLessThanOrEqual(1.002 * valueAt(percentile + place));
      }
    });
  });
}
