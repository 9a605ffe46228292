/**
 * Measures how well `bench-cli clients` agrees with undici's own `benchmarks/benchmark.js`: both measure the same versions of the
 * same clients with the same server, one after the other, for the same wall time, in rounds with alternating order.
 *
 *     node bench/side-by-side.ts UNDICI [rounds=3] [samples=40]
 *
 * UNDICI is a checkout of undici in which `npm install --no-save cronometro axios got node-fetch request superagent` has run in
 * `benchmarks`. Prints the tolerances (standard errors) of both, and for each pair of clients the ratio of its rates by both. A ratio
 * agrees if both differ by at most twice their joint tolerance, the root of the sum of the squares of the four tolerances.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readRecording } from '@bench-cli/results/recording';
import { startClusterServer } from '../lib/index.js';

interface Figures {
  /** Answers per second. */
  readonly rate: number;
  /** The standard error, a fraction. */
  readonly tolerance: number;
}

type Table = ReadonlyMap<string, Figures>;

const run = promisify(execFile);
const [checkout = '', rounds = '3', samples = '40'] = process.argv.slice(2);
const undici = resolve(checkout);
const command = join(import.meta.dirname, '../../cli/bin/bench-cli.js');

const project = mkdtempSync(join(tmpdir(), 'side-by-side-'));
mkdirSync(join(project, 'node_modules'));
symlinkSync(undici, join(project, 'node_modules/undici'));
for (const name of ['axios', 'got', 'node-fetch', 'superagent'])
  symlinkSync(join(undici, 'benchmarks/node_modules', name), join(project, 'node_modules', name));
await using server = await startClusterServer({ port: 0 });
const env = { PORT: String(server.port), CONNECTIONS: '50', PIPELINING: '10', PARALLEL: '100' };

/** undici's table, which its benchmark prints by `console.table`. */
async function theirs(): Promise<{ readonly table: Table; readonly seconds: number }> {
  const startedAt = performance.now();
  const { stdout } = await run(process.execPath, [join(undici, 'benchmarks/benchmark.js')], {
    env: { ...process.env, ...env, SAMPLES: samples, ERROR_THRESHOLD: '1' },
  });
  const rows = stdout.split('\n').flatMap((line) => {
    const [, name, rate, tolerance] =
      /│ '([^']+)'\s+│ \d+\s+│ '([\d.]+) req\/sec'\s+│ '± ([\d.]+) %'/.exec(line) ?? [];
    return name === undefined
      ? []
      : [[name, { rate: Number(rate), tolerance: Number(tolerance) / 100 }] as const];
  });
  if (rows.length === 0) throw new Error(`benchmark.js has no table that can be read:\n${stdout}`);
  return { table: new Map(rows), seconds: (performance.now() - startedAt) / 1000 };
}

/** @param seconds the time limit of the runs */
async function ours(names: readonly string[], seconds: number): Promise<Table> {
  const out = join(project, `${performance.now()}.jsonl`);
  const args = ['clients', ...names, '--samples', 'auto', '--out', out, '--format', 'csv', '--no-progress'];
  const limit = ['--budget', `${Math.ceil(seconds)}s`, '--margin', '0.01%'];
  await run(process.execPath, [command, ...args, ...limit], {
    env: { ...process.env, ...env },
    cwd: project,
  });
  const runs = readRecording(out).runs.filter((each) => each.status === 'ok');
  const rates = Map.groupBy(runs, ({ subject }) => subject);
  return new Map(Array.from(rates, ([name, all]) => [name, figuresOf(all.map(({ rate }) => rate))]));
}

function figuresOf(rates: readonly number[]): Figures {
  const rate = rates.reduce((sum, each) => sum + each, 0) / rates.length;
  const variance = rates.reduce((sum, each) => sum + (each - rate) ** 2, 0) / (rates.length - 1);
  return { rate, tolerance: Math.sqrt(variance / rates.length) / rate };
}

let names: readonly string[] = [];
let seconds = 0;
let pairs = 0;
let agreeing = 0;
for (let round = 0; round < Number(rounds); round++) {
  let own: Table | undefined;
  if (round % 2 === 1) own = await ours(names, seconds);
  const { table, ...took } = await theirs();
  seconds = took.seconds;
  names = [...table.keys()].filter((name) => name !== 'request');
  own ??= await ours(names, seconds);
  console.log(
    `round ${round + 1}, ${seconds.toFixed(0)} s each: answers per second by undici's benchmark and by bench-cli`,
  );
  const common = names.flatMap((name) => {
    const [their, our] = [table.get(name), own.get(name)];
    return their === undefined || our === undefined ? [] : [{ name, their, our }];
  });
  for (const { name, their, our } of common)
    console.log(
      `  ${name.padEnd(20)} ${their.rate.toFixed(0).padStart(6)} ± ${(their.tolerance * 100).toFixed(1)} % ${our.rate.toFixed(0).padStart(8)} ± ${(our.tolerance * 100).toFixed(1)} %`,
    );
  for (const [at, a] of common.entries()) {
    for (const b of common.slice(at + 1)) {
      const [their, our] = [a.their.rate / b.their.rate, a.our.rate / b.our.rate];
      const joint = Math.hypot(a.their.tolerance, b.their.tolerance, a.our.tolerance, b.our.tolerance);
      const agrees = Math.abs(Math.log(our / their)) <= 2 * joint;
      pairs++;
      if (agrees) agreeing++;
      else
        console.log(
          `  ${a.name} / ${b.name}: ${their.toFixed(2)} and ${our.toFixed(2)}, joint tolerance ± ${(joint * 100).toFixed(1)} %`,
        );
    }
  }
}
console.log(`${agreeing} of ${pairs} ratios agree`);
rmSync(project, { recursive: true });
