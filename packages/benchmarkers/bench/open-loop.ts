/**
 * Compares the latency that an open loop reports with the theory: a server that answers nothing for the first
 * 100 ms of each second makes a tenth of the requests wait, uniformly for 0 to 100 ms, so that one in a
 * hundred waits for at least 90 ms.
 *
 *     node bench/open-loop.ts [runs=3] [arrivalRate=2000] [seconds=10]
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadServer } from '../dist/index.js';

const stallMs = 100;
const expectedMs = 90;
const [runs = 3, arrivalRate = 2000, durationSeconds = 10] = process.argv.slice(2).map(Number);

const server = createServer((_, response) => {
  const intoMs = performance.now() % 1000;
  if (intoMs < stallMs) setTimeout(() => response.end('hello'), stallMs - intoMs);
  else response.end('hello');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
for (let run = 0; run < runs; run++) {
  const { rate, latency, benchmarker } = await loadServer({ port, arrivalRate, durationSeconds });
  const ratio = (latency.p99Ms ?? Number.NaN) / expectedMs;
  console.log(
    `${benchmarker}: ${rate.toFixed(0)}/s, p50 ${latency.p50Ms} ms, p99 ${latency.p99Ms} ms, ${ratio.toFixed(3)} of the theory`,
  );
}
server.close();
