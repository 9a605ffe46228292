/**
 * Measures what the adapters cost: compares the rate that each reports with the rate of the same load tool,
 * called directly with the same options on the same server. Prints one line per pair of runs, and the median
 * of the ratios.
 *
 *     node bench/by-hand.ts [pairs=5] [seconds=2] [delayMs=0]
 *
 * With a delay before each answer, the server limits the rate, and other load on the machine matters less.
 *
 * Both rates are the number of answers divided by the time in which they arrived. wrk, h2load and oha print
 * that rate; autocannon prints the mean of its samples as if each took exactly one second, which is shown
 * too.
 */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { ToolOptions } from '@bench-cli/core';
import { execa } from 'execa';
import { type Benchmarker, builtInBenchmarkers } from '../dist/index.js';

const connections = 100;
const threads = Math.min(2, availableParallelism());
const [pairs = 5, seconds = 2, delayMs = 0] = process.argv.slice(2).map(Number);

interface ByHand {
  readonly name: string;
  readonly options?: ToolOptions;
  /** Default: that of the adapter. */
  readonly command?: readonly [string, ...string[]];
  readonly args: readonly string[];
  /** Answers per second, and the rate that the tool prints. */
  rates(stdout: string): { readonly rate: number; readonly shown: number };
}

const printed = (pattern: RegExp) => (stdout: string) => {
  const rate = Number(pattern.exec(stdout)?.[1]);
  return { rate, shown: rate };
};

const tools: readonly ByHand[] = [
  {
    name: 'wrk',
    options: { threads },
    args: ['-d', `${seconds}`, '-c', `${connections}`, '-t', `${threads}`, '--latency'],
    rates: printed(/Requests\/sec: +([\d.]+)/),
  },
  {
    name: 'autocannon',
    command: [process.execPath, createRequire(import.meta.url).resolve('autocannon')],
    args: ['-j', '-n', '-d', `${seconds}`, '-c', `${connections}`],
    rates: (stdout) => {
      const result = JSON.parse(stdout);
      const elapsedMs = Date.parse(result.finish) - Date.parse(result.start);
      return { rate: result['2xx'] / (elapsedMs / 1000), shown: result.requests.average };
    },
  },
  {
    name: 'h2load',
    args: ['-D', `${seconds}`, '-c', `${connections}`],
    rates: printed(/([\d.]+) req\/s/),
  },
  {
    name: 'oha',
    args: ['--no-tui', '--output-format', 'json', '-z', `${seconds}s`, '-c', `${connections}`],
    rates: (stdout) => {
      const { summary, statusCodeDistribution } = JSON.parse(stdout);
      return { rate: statusCodeDistribution[200] / summary.total, shown: summary.requestsPerSec };
    },
  },
];

for (const { name, options, command, args, rates } of tools) {
  const benchmarker = byName(name);
  const protocol = benchmarker.protocols[0];
  await using server = await startServer(protocol);
  const availability = await benchmarker.available();
  if (!availability.available) {
    console.log(availability.message);
    continue;
  }
  const [program, ...first] = command ?? availability.command;
  const byHand = async () => {
    const { stdout } = await execa(program, [...first, ...args, `http://127.0.0.1:${server.port}/`]);
    return rates(stdout);
  };
  const byAdapter = async () => {
    const load = { port: server.port, protocol, connections, durationSeconds: seconds, ...options };
    return (await benchmarker.run(load)).rate;
  };
  await byHand();
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    // The order alternates, so that a steady drift of the machine favours neither.
    const before = pair % 2 === 0 ? undefined : await byAdapter();
    const hand = await byHand();
    const adapter = before ?? (await byAdapter());
    ratios.push(adapter / hand.rate);
    const shown =
      hand.shown === hand.rate ? '' : ` (it prints ${(hand.shown / hand.rate).toFixed(4)} of that)`;
    console.log(
      `${benchmarker.name}: ${hand.rate.toFixed(0)} by hand${shown}, ${adapter.toFixed(0)} by the adapter: ${(adapter / hand.rate).toFixed(4)}`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)];
  console.log(`${benchmarker.name}: median ratio ${median?.toFixed(4)}`);
}

function byName(name: string): Benchmarker {
  const benchmarker = builtInBenchmarkers.find((it) => it.name === name);
  if (benchmarker === undefined) throw new Error(`unknown benchmarker ${name}`);
  return benchmarker;
}

/** Starts the server in a process of its own, because the adapter works in this one while the tool runs. */
async function startServer(protocol: string) {
  const server = fork(fileURLToPath(new URL('by-hand-server.ts', import.meta.url)), [
    protocol,
    String(delayMs),
  ]);
  const [port]: number[] = await once(server, 'message');
  return {
    port: port ?? 0,
    async [Symbol.asyncDispose]() {
      server.kill();
    },
  };
}
