/**
 * Asks whether short runs that count compilation, on one thread and with a seed that both sides of a pair share, find what long runs of
 * warmed-up code find: the operations of `samples.ts` in two versions each, in pairs of processes one after the other, both ways in turns.
 * Prints the difference of each way with its 95 % interval (Student's t of the pairs), its time, and which differences both find.
 *
 *     node packages/runner/bench/counted-compilation.ts [PAIRS]
 *
 * Requires npm and a quiet machine.
 */
import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { meanHalfWidth, varianceOf } from '@bench-cli/stats/internal';
import { packages } from './samples/_packages.ts';

const [pairs = '10'] = process.argv.slice(2);
const work = mkdtempSync(join(tmpdir(), 'counted-compilation-'));
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

/** Prints operations per second. */
const script = `
import { operations } from './_operations.mjs';

const [name, warmUpMs, measuredMs] = process.argv.slice(2);
const call = await operations[name]();
let last;
const rateOf = (ms) => {
  const from = performance.now();
  let calls = 0;
  let elapsed = 0;
  while (elapsed < ms) {
    for (let i = 0; i < 20; i++) last = call();
    calls += 20;
    elapsed = performance.now() - from;
  }
  return (1000 * calls) / elapsed;
};
if (Number(warmUpMs) > 0) rateOf(Number(warmUpMs));
console.log(rateOf(Number(measuredMs)));
if (last === Symbol()) console.log('the result is used');
`;

/** V8's switches for one thread, of which only the seed differs from pair to pair. */
const singleThread = ['--no-concurrent-recompilation', '--single-threaded-gc', '--no-flush-bytecode'];

interface Way {
  readonly warmUpMs: number;
  readonly measuredMs: number;
  readonly flags: (seed: number) => readonly string[];
}

const ways = {
  'warmed up': { warmUpMs: 250, measuredMs: 1000, flags: () => [] },
  counted: {
    warmUpMs: 0,
    measuredMs: 100,
    flags: (seed) => [...singleThread, `--random-seed=${seed}`, `--hash-seed=${seed}`],
  },
} as const satisfies Record<string, Way>;

function directoryOf(version: string): string {
  const directory = join(work, version.replace('@', '-'));
  mkdirSync(directory);
  cpSync(join(import.meta.dirname, 'samples/_operations.mjs'), join(directory, '_operations.mjs'));
  writeFileSync(join(directory, 'package.json'), '{ "type": "module", "private": true }');
  writeFileSync(join(directory, 'rate.mjs'), script);
  execFileSync('npm', ['install', '--silent', '--no-audit', '--no-fund', version], { cwd: directory });
  return directory;
}

/** The logarithm of the rate of a process. */
function logRate(directory: string, operation: string, way: Way, seed: number): number {
  const times = [way.warmUpMs, way.measuredMs].map(String);
  const command = [...way.flags(seed), 'rate.mjs', operation, ...times];
  return Math.log(Number(execFileSync(process.execPath, command, { cwd: directory, encoding: 'utf8' })));
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percent = (log: number) => `${(100 * Math.expm1(log)).toFixed(1)} %`;
const shares: number[] = [];
const tally = { both: 0, opposite: 0, onlyWarmedUp: 0, onlyCounted: 0 };
for (const [operation, [present, former]] of Object.entries(packages)) {
  if (former === undefined) continue;
  const sides = [directoryOf(former), directoryOf(present)] as const;
  const differences = { 'warmed up': [] as number[], counted: [] as number[] };
  const seconds = { 'warmed up': 0, counted: 0 };
  for (let pair = 0; pair < Number(pairs); pair++) {
    for (const name of ['warmed up', 'counted'] as const) {
      const seed = randomInt(1, 2 ** 30);
      const startedAt = performance.now();
      const logs = sides.map((side) => logRate(side, operation, ways[name], seed));
      seconds[name] += (performance.now() - startedAt) / 1000;
      const [before = 0, after = 0] = logs;
      differences[name].push(after - before);
    }
  }
  const signs = (['warmed up', 'counted'] as const).map((name) => {
    const own = differences[name];
    const mean = meanOf(own);
    const half = meanHalfWidth({ n: own.length, variance: varianceOf(own) }) ?? Number.POSITIVE_INFINITY;
    const interval = `${percent(mean)} (${percent(mean - half)} to ${percent(mean + half)})`;
    console.log(`${operation}: ${name}: ${interval}; ${seconds[name].toFixed(1)} s`);
    return Math.abs(mean) > half ? Math.sign(mean) : 0;
  });
  const [warmedUp = 0, counted = 0] = signs;
  shares.push(seconds.counted / seconds['warmed up']);
  if (warmedUp !== 0 && counted === warmedUp) tally.both++;
  else if (warmedUp * counted < 0) tally.opposite++;
  else if (warmedUp !== 0) tally.onlyWarmedUp++;
  else if (counted !== 0) tally.onlyCounted++;
}
console.log(
  `found by both ${tally.both}, in opposite directions ${tally.opposite}, only by warmed-up runs ${tally.onlyWarmedUp}, only by counted ones ${tally.onlyCounted}; the counted ones take ${meanOf(shares).toFixed(2)} of the time`,
);
