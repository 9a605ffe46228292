/**
 * Measures how well `bench-cli clients` agrees with undici's own `benchmarks/benchmark.js`: both measure the
 * same versions of the same clients with the same server, one after the other, for the same wall time, in
 * rounds with alternating order.
 *
 *     node bench/side-by-side.ts UNDICI [rounds=3] [samples=40]
 *
 * UNDICI is a checkout of undici in which `npm install --no-save cronometro axios got node-fetch request
 * superagent` has run in `benchmarks`. Prints the rates and tolerances (standard errors) of both, and the
 * pairs of clients whose ratio of rates differs between them by more than twice their joint tolerance, the
 * root of the sum of the squares of the four tolerances. undici measures one client after the other, so a
 * drift of the machine is in its ratios and not in its tolerances. So at the end, each is also compared with
 * itself in the other rounds, which is the agreement that can be had, and the geometric means of the ratios
 * over all rounds are compared, by a 95 % t-interval of their differences between the rounds.
 */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startClusterServer } from '@bench-cli/cluster-server';
import { readRecording } from '@bench-cli/results/recording';
import { criticalT } from '@bench-cli/stats/internal';

interface Figures {
  /** Answers per second. */
  readonly rate: number;
  /** The standard error, a fraction. */
  readonly tolerance: number;
}

type Table = ReadonlyMap<string, Figures>;

interface Timed {
  readonly table: Table;
  readonly seconds: number;
}

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
async function theirs(): Promise<Timed> {
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

/** @param limit of the runs, seconds */
async function ours(names: readonly string[], limit: number): Promise<Timed> {
  const startedAt = performance.now();
  const out = join(project, `${performance.now()}.jsonl`);
  const args = [
    'http',
    'clients',
    ...names,
    '--samples',
    'auto',
    '--out',
    out,
    '--format',
    'csv',
    '--no-progress',
  ];
  await run(process.execPath, [command, ...args, '--budget', `${Math.ceil(limit)}s`, '--margin', '0.01%'], {
    env: { ...process.env, ...env },
    cwd: project,
  });
  const runs = readRecording(out).runs.filter((each) => each.status === 'ok');
  const rates = Map.groupBy(runs, ({ subject }) => subject);
  const table = new Map(
    Array.from(rates, ([name, all]) => [name, figuresOf(all.map(({ values }) => values.rate))]),
  );
  return { table, seconds: (performance.now() - startedAt) / 1000 };
}

function figuresOf(rates: readonly number[]): Figures {
  const { mean, standardError } = meanOf(rates);
  return { rate: mean, tolerance: standardError / mean };
}

function meanOf(values: readonly number[]): { readonly mean: number; readonly standardError: number } {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1);
  return { mean, standardError: Math.sqrt(variance / values.length) };
}

interface Agreement {
  readonly pairs: number;
  /** The pairs whose ratios differ, in words. */
  readonly differing: readonly string[];
}

/** Compares the ratios of all pairs of clients. */
function agreement(first: Table, second: Table): Agreement {
  const names = [...first.keys()].filter((name) => second.has(name));
  const differing: string[] = [];
  let pairs = 0;
  for (const [at, a] of names.entries()) {
    for (const b of names.slice(at + 1)) {
      const [one, other] = [first, second].map((table) => ratioOf(table.get(a), table.get(b)));
      if (one === undefined || other === undefined) continue;
      pairs++;
      const joint = Math.hypot(one.tolerance, other.tolerance);
      if (Math.abs(Math.log(one.rate / other.rate)) > 2 * joint)
        differing.push(
          `${a} / ${b}: ${one.rate.toFixed(2)} and ${other.rate.toFixed(2)}, joint tolerance ± ${(joint * 100).toFixed(1)} %`,
        );
    }
  }
  return { pairs, differing };
}

function ratioOf(a: Figures | undefined, b: Figures | undefined): Figures | undefined {
  if (a === undefined || b === undefined) return undefined;
  return { rate: a.rate / b.rate, tolerance: Math.hypot(a.tolerance, b.tolerance) };
}

function report(what: string, agreements: readonly Agreement[]): void {
  const pairs = agreements.reduce((sum, each) => sum + each.pairs, 0);
  const differing = agreements.reduce((sum, each) => sum + each.differing.length, 0);
  if (pairs > 0) console.log(`${what}: ${pairs - differing} of ${pairs} ratios agree`);
}

const text = ({ rate, tolerance }: Figures) =>
  `${rate.toFixed(0).padStart(8)} ± ${(tolerance * 100).toFixed(1)} %`;

let names: readonly string[] = [];
let seconds = 0;
const tables: { readonly their: Table; readonly our: Table }[] = [];
for (let round = 0; round < Number(rounds); round++) {
  const first = round % 2 === 1 ? await ours(names, seconds) : undefined;
  const { table: their, ...took } = await theirs();
  seconds = took.seconds;
  names = [...their.keys()].filter((name) => name !== 'request');
  const { table: our, seconds: ourSeconds } = first ?? (await ours(names, seconds));
  tables.push({ their, our });
  console.log(
    `round ${round + 1}: answers per second by undici's benchmark in ${seconds.toFixed(0)} s, and by bench-cli in ${ourSeconds.toFixed(0)} s`,
  );
  for (const name of names) {
    const [theirFigures, ourFigures] = [their.get(name), our.get(name)];
    if (theirFigures !== undefined && ourFigures !== undefined)
      console.log(`  ${name.padEnd(20)} ${text(theirFigures)} ${text(ourFigures)}`);
  }
  const both = agreement(their, our);
  for (const line of both.differing) console.log(`  ${line}`);
  report('  in this round', [both]);
}
/** Compares the geometric means of the ratios over all rounds, whose interval contains drift. */
function overRounds(): Agreement {
  const differing: string[] = [];
  let pairs = 0;
  for (const [at, a] of names.entries()) {
    for (const b of names.slice(at + 1)) {
      const logs = tables.flatMap(({ their, our }) => {
        const [one, other] = [their, our].map((table) => ratioOf(table.get(a), table.get(b)));
        return one === undefined || other === undefined ? [] : [Math.log(one.rate / other.rate)];
      });
      const { mean, standardError } = meanOf(logs);
      pairs++;
      const halfWidth = criticalT(0.05, logs.length - 1) * standardError;
      if (Math.abs(mean) > halfWidth)
        differing.push(
          `${a} / ${b}: their ratio is ${Math.exp(mean).toFixed(2)} of ours, ± ${(halfWidth * 100).toFixed(1)} %`,
        );
    }
  }
  return { pairs, differing };
}

const otherRounds = (side: 'their' | 'our') =>
  tables.flatMap((one, at) => tables.slice(at + 1).map((other) => agreement(one[side], other[side])));
report(
  'both in the same round',
  tables.map(({ their, our }) => agreement(their, our)),
);
report("undici's benchmark with itself in another round", otherRounds('their'));
report('bench-cli with itself in another round', otherRounds('our'));
if (tables.length > 1) {
  const pooled = overRounds();
  for (const line of pooled.differing) console.log(`  ${line}`);
  report('the means over all rounds', [pooled]);
}
rmSync(project, { recursive: true });
