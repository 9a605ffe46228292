/**
 * Attacks the project with random input for about ten minutes, and exits with 1 if anything was lost, wrong or left behind.
 *
 *     pnpm torture --seed 1 --kills 500 --inputs 100000 --benchmarks 50 --servers 60
 */
import { parseArgs } from 'node:util';
import { damagedInputs } from './torture/damaged-inputs.ts';
import { kills } from './torture/kills.ts';
import { lyingServers } from './torture/lying-servers.ts';
import { misbehavingBenchmarks } from './torture/misbehaving-benchmarks.ts';
import { Random } from './torture/random.ts';
import { faults, type Tally } from './torture/tally.ts';

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: { seed: text, kills: text, inputs: text, benchmarks: text, servers: text },
});
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
console.log(`seed ${seed}`);
const attacks = [
  [damagedInputs, Number(values.inputs ?? 100_000)],
  [misbehavingBenchmarks, Number(values.benchmarks ?? 25)],
  [lyingServers, Number(values.servers ?? 60)],
  [kills, Number(values.kills ?? 150)],
] as const;
const tallies: Tally[] = [];
for (const [attack, count] of attacks) {
  // Each attack has its own numbers, so that the count of another one does not change them.
  const tally = await attack(count, new Random(seed));
  console.log(`${tally.name}: ${tally.attempts} done`);
  tallies.push(tally);
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
