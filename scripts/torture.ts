/**
 * Attacks the project with random input, and exits with 1 if anything was lost, wrong or left behind. If counts are given, only attacks
 * with one are made. `--only history` kills only the commands of such a name.
 *
 *     pnpm torture --seed 1 --kills 500 --inputs 100000
 */
import { parseArgs } from 'node:util';
import { changedCode } from './torture/changed-code.ts';
import { clocks } from './torture/clocks.ts';
import { damagedInputs } from './torture/damaged-inputs.ts';
import { edges } from './torture/edges.ts';
import { fullDisks } from './torture/full-disks.ts';
import { hiddenProcesses } from './torture/hidden-processes.ts';
import { kills } from './torture/kills.ts';
import { lyingServers } from './torture/lying-servers.ts';
import { misbehavingBenchmarks } from './torture/misbehaving-benchmarks.ts';
import { owners } from './torture/owners.ts';
import { Random } from './torture/random.ts';
import { stops } from './torture/stops.ts';
import { takenFiles } from './torture/taken-files.ts';
import { faults, Tally } from './torture/tally.ts';

const attacks = [
  ['inputs', damagedInputs, 100_000],
  ['benchmarks', misbehavingBenchmarks, 25],
  ['servers', lyingServers, 60],
  ['disks', fullDisks, 30],
  ['files', takenFiles, 20],
  ['changes', changedCode, 20],
  ['owners', owners, 40],
  ['edges', edges, 25],
  ['hidden', hiddenProcesses, 16],
  ['clocks', clocks, 10],
  ['stops', stops, 20],
  ['kills', (count: number, random: Random) => kills(count, random, values.only), 150],
] as const;
const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ seed: text, only: text },
    ...{ inputs: text, benchmarks: text, servers: text, disks: text, files: text, changes: text },
    ...{ owners: text, hidden: text, clocks: text, stops: text, kills: text, edges: text },
  },
});
const usualCount = attacks.some(([name]) => values[name] !== undefined) ? 0 : undefined;
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
console.log(`seed ${seed}`);
const tallies: Tally[] = [];
for (const [name, attack, usual] of attacks) {
  const count = Number(values[name] ?? usualCount ?? usual);
  if (count === 0) continue;
  const startedAt = performance.now();
  const crashed = new Tally(name);
  await crashed.guard(name, async () => {
    // Each attack has its own numbers, so that the count of another one does not change them.
    tallies.push(...(await attack(count, new Random(seed))));
  });
  if (!crashed.isClean) tallies.push(crashed);
  console.log(`${name}: ${Math.round((performance.now() - startedAt) / 1000)} s`);
}
console.table(
  Object.fromEntries(
    tallies.map((tally) => [
      tally.name,
      { attempts: tally.attempts, ...Object.fromEntries(faults.map((fault) => [fault, tally.count(fault)])) },
    ]),
  ),
);
for (const tally of tallies) for (const detail of tally.details) console.log(detail);
const clean = tallies.every((tally) => tally.isClean);
console.log(clean ? `all zero (seed ${seed})` : `FAILED: repeat with --seed ${seed}`);
process.exitCode = clean ? 0 : 1;
