/**
 * What an adapter costs: the rate through each, against the same tool called by hand with the same options on the same
 * server, one after the other, several pairs. Prints a line a pair, and the median of the ratios.
 *
 *     node bench/by-hand.ts [pairs=5] [seconds=2] [delayMs=0]
 *
 * With a delay before each answer the server bounds the rate, and what else runs on the machine matters less.
 */
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { availableParallelism } from 'node:os';
import { execa } from 'execa';
import { autocannon, type Benchmarker, h2load, wrk } from '../dist/index.js';

const connections = 100;
const [pairs = 5, seconds = 2, delayMs = 0] = process.argv.slice(2).map(Number);

interface ByHand {
  readonly benchmarker: Benchmarker;
  readonly args: readonly string[];
  rate(stdout: string): number;
}

const tools: readonly ByHand[] = [
  {
    benchmarker: wrk,
    args: [
      '-d',
      `${seconds}`,
      '-c',
      `${connections}`,
      '-t',
      `${Math.min(2, availableParallelism())}`,
      '--latency',
    ],
    rate: (stdout) => Number(/Requests\/sec: +([\d.]+)/.exec(stdout)?.[1]),
  },
  {
    benchmarker: autocannon,
    args: ['-j', '-n', '-d', `${seconds}`, '-c', `${connections}`],
    rate: (stdout) => JSON.parse(stdout).requests.average,
  },
  {
    benchmarker: h2load,
    args: ['-D', `${seconds}`, '-c', `${connections}`],
    rate: (stdout) => Number(/([\d.]+) req\/s/.exec(stdout)?.[1]),
  },
];

for (const { benchmarker, args, rate } of tools) {
  const protocol = benchmarker.protocols[0];
  await using server = await startServer(protocol);
  const availability = await benchmarker.available();
  if (!availability.available) {
    console.log(availability.message);
    continue;
  }
  const [program, ...own] = availability.command;
  const byHand = async () => {
    const { stdout } = await execa(program, [...own, ...args, `http://127.0.0.1:${server.port}/`]);
    return rate(stdout);
  };
  const byAdapter = async () =>
    (await benchmarker.run({ port: server.port, protocol, connections, durationSeconds: seconds })).rate;
  await byHand();
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // Which goes first alternates, too: what changes steadily favours neither.
    const order = pair % 2 === 0 ? [byHand, byAdapter] : [byAdapter, byHand];
    const measured = new Map<() => Promise<number>, number>();
    for (const run of order) measured.set(run, await run());
    const [hand = Number.NaN, adapter = Number.NaN] = [measured.get(byHand), measured.get(byAdapter)];
    ratios.push(adapter / hand);
    console.log(
      `${benchmarker.name}: ${hand.toFixed(0)} by hand, ${adapter.toFixed(0)} by the adapter: ${(adapter / hand).toFixed(4)}`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)];
  console.log(`${benchmarker.name}: median ratio ${median?.toFixed(4)}`);
}

/** The server under test, in this process: what calls the tools only waits meanwhile. */
async function startServer(protocol: string) {
  const answer = (_: unknown, response: { end(body: string): unknown }) => {
    if (delayMs > 0) setTimeout(() => response.end('hello'), delayMs);
    else response.end('hello');
  };
  const server = protocol === 'http2' ? createHttp2Server(answer) : createHttpServer(answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}
