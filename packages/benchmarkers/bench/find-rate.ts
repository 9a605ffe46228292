/**
 * Searches the highest rate within a promise against servers whose capacity is known: one worker with a fixed
 * service time, which answers in the order of the requests. Above its capacity the queue grows, so the rate
 * that is found is the capacity.
 *
 *     node bench/find-rate.ts [trials=20] [promise=p99<50ms] [connections=200]
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadServer } from '../dist/index.js';

const [trials = '20', findRate = 'p99<50ms', connections = '200'] = process.argv.slice(2);
/** The same capacities each time, from 200 to 1500 requests per second. */
const capacityOf = (trial: number) => 200 * 7.5 ** (trial / Math.max(1, Number(trials) - 1));
const nearby = 0.05;

let within = 0;
for (let trial = 0; trial < Number(trials); trial++) {
  const capacity = capacityOf(trial);
  let freeAtMs = 0;
  const server = createServer((_, response) => {
    freeAtMs = Math.max(performance.now(), freeAtMs) + 1000 / capacity;
    setTimeout(() => response.end('hello'), Math.max(0, freeAtMs - performance.now()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const startMs = performance.now();
  const { rate, points = [] } = await loadServer({ port, findRate, connections: Number(connections) });
  server.close();
  const isWithin = Math.abs(rate / capacity - 1) <= nearby;
  if (isWithin) within++;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(0);
  console.log(
    `capacity ${capacity.toFixed(0)}/s: found ${rate.toFixed(0)}/s (${(rate / capacity).toFixed(3)}), ${points.length} loads in ${seconds} s${isWithin ? '' : ', NOT within 5 %'}`,
  );
}
console.log(`${within} of ${trials} within 5 %`);
