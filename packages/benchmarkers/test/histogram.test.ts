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
      const percentiles = [50, 75, 90, 99, 99.9].map((p) => latencies.getValueAtPercentile(p) / 1000);
      // Three digits.
      for (const [at, ms] of [
        latency.p50Ms,
        latency.p75Ms,
        latency.p90Ms,
        latency.p99Ms,
        latency.p999Ms,
      ].entries())
        expect((percentiles[at] ?? 0) / (ms ?? 0)).toBeCloseTo(1, 2);
    });
  });
}
