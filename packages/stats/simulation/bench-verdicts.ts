import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  type Claim,
  claimOfFamily,
  claimOfGate,
  claimOfPower,
  claimOfPrecision,
  claimOfRuns,
  claimsOfErrors,
  claimsOfSubjects,
  isKept,
  SLACK,
} from './claim.ts';
import { simulateFamilies } from './family.ts';
import { simulateGatePower } from './gate-power.ts';
import { simulateGates } from './gates.ts';
import {
  type Cell,
  type CellResult,
  cellsOf,
  largeDeviations,
  simulateCell,
  usualDeviations,
} from './grid.ts';
import { noises, normalNoise } from './noise.ts';
import { pictureData, typicalExample } from './picture-data.ts';
import { simulatePrecision } from './precision.ts';
import { randomStreams } from './random.ts';
import { recordedDeviation, recordedNoise } from './recorded-noise.ts';
import { adaptive, fixed, peeking, type Rule } from './rules.ts';
import { simulateSubjects } from './subjects.ts';
import { summarize } from './summary.ts';
import { tachometer } from './tachometer.ts';
import {
  cellTable,
  claimLine,
  familyTable,
  gateTable,
  precisionTable,
  subjectsTable,
  summaryTable,
  withError,
} from './text.ts';

/**
 * Simulates comparisons whose true difference is known, judges them like `--runs auto` and by other rules, and prints
 * whether the guarantees of docs/adaptive-runs.md hold. The exit code is 1 if one does not.
 *
 * `--comparisons` is their number per cell (default: 10,000). `--pictures` writes the data of the pictures of the docs to a
 * file, which `node packages/report/simulation/verdict-pictures.ts <file>` draws.
 */
const { values: options } = parseArgs({
  options: { comparisons: { type: 'string', default: '10000' }, pictures: { type: 'string' } },
});
const comparisons = Number(options.comparisons);
const commands = Math.ceil(comparisons / 10);

const rules: readonly Rule[] = [adaptive, fixed, tachometer, peeking];
const promisedNoises = noises.filter(({ isExchangeable }) => isExchangeable);
const streams = randomStreams(20_260_501);
const gateStreams = randomStreams(20_261_121);
const subjectStreams = randomStreams(20_261_122);
const recordedStreams = randomStreams(20_261_123);
const claims: Claim[] = [];

print(
  `Shares of ${comparisons} comparisons per cell, in %, and mean runs; noise is the standard deviation of a run.`,
);
const results = noises.flatMap((noise) => {
  const promise = noise.isExchangeable ? '' : ', without guarantees';
  return simulate(`${noise.name} noise${promise}`, cellsOf(noise));
});
const large = simulate('normal noise of a shared machine', cellsOf(normalNoise, largeDeviations));
const recorded = simulate(
  'noise of recorded runs',
  cellsOf(recordedNoise, [...usualDeviations, ...largeDeviations, recordedDeviation]),
);
const promised = results.filter(({ cell }) => cell.noise.isExchangeable);
claims.push(...claimsOfErrors(summarize(adaptive, [...promised, ...large])));
claims.push(
  ...claimsOfErrors(summarize(adaptive, recorded)).map((claim) => ({
    ...claim,
    what: `${claim.what}, recorded noise`,
  })),
);
claims.push(claimOfPower(summarize(adaptive, promised)));
for (const noise of promisedNoises) {
  const ofNoise = promised.filter(({ cell }) => cell.noise === noise);
  claims.push(claimOfRuns(noise.name, summarize(adaptive, ofNoise)));
}

print(`\nAll cases of a command together: ${commands} commands of 200 cases`);
for (const [name, changed] of [
  ['20 % of them differ', 0.2],
  ['none differs', 0],
] as const) {
  const families = simulateFamilies({ changed, noises: promisedNoises }, commands, streams.next().value);
  print(`\n${name}\n`);
  print(familyTable(families));
  const [ours] = families;
  if (ours !== undefined) claims.push(claimOfFamily(name, ours));
}

const fewer = Math.ceil(commands / 2);
print(`\nFour subjects, three of them compared with the first one: ${fewer} commands of 100 cases`);
for (const [name, changed] of [
  ['none differs', 0],
  ['20 % of the subjects differ', 0.2],
] as const) {
  const setting = { changed, noises: promisedNoises };
  const results = simulateSubjects(setting, fewer, subjectStreams.next().value);
  print(`\n${name}\n\n${subjectsTable(results)}`);
  claims.push(...results.flatMap((result) => claimsOfSubjects(name, result)));
}

print(`\n\`--fail-on 'slower>=5%'\`: ${commands} commands of 20 cases, which are all slower by exactly 5 %`);
for (const noise of promisedNoises) {
  const gates = (['fixed', 'stratified', 'sequential'] as const).flatMap((method) =>
    (['benjamini-hochberg', 'holm'] as const).map((correction) =>
      simulateGates({ method, correction, noise, cases: 20 }, commands, gateStreams.next().value),
    ),
  );
  print(`\n${noise.name} noise\n\n${gateTable(gates)}`);
  claims.push(...gates.map(claimOfGate));
}

print(
  `\nOf ${commands} commands with one case of 20 slower by 8 %, and runs that vary by 2 %, so many cross that gate\n`,
);
for (const runs of [10, 30, 'auto', 'auto with the gate'] as const) {
  const found = simulateGatePower(runs, commands, gateStreams.next().value);
  print(`${String(runs).padEnd(18)} ${withError(found)} %`);
}

print('\nRates of one subject: intervals that miss the true rate, and mean runs\n');
for (const noise of promisedNoises) {
  const rates = simulatePrecision(noise, comparisons, streams.next().value);
  print(precisionTable(noise.name, rates));
  if (noise === normalNoise) claims.push(claimOfPrecision(noise.name, rates));
}

print(`\nGuarantees, with an allowance of ${SLACK} standard errors\n`);
for (const claim of claims) print(claimLine(claim));
process.exitCode = claims.every(isKept) ? 0 : 1;

if (options.pictures !== undefined) {
  const examples = [
    typicalExample({ effect: 0.03, deviation: 0.02 }, 'faster', streams.next().value),
    typicalExample({ effect: 0, deviation: 0.015 }, 'no difference', streams.next().value),
    typicalExample({ effect: 0.01, deviation: 0.04 }, 'undecided', streams.next().value),
  ];
  await writeFile(
    options.pictures,
    JSON.stringify(pictureData({ adaptive, rules }, { results, promised }, examples)),
  );
}

function simulate(title: string, cells: readonly Cell[]): readonly CellResult[] {
  const simulated = cells.map((cell) =>
    simulateCell(
      cell,
      { rules, reference: fixed },
      comparisons,
      (cell.noise === recordedNoise ? recordedStreams : streams).next().value,
    ),
  );
  print(`\n${title}\n\n${cellTable(rules, simulated)}\n`);
  print(summaryTable(new Map(rules.map((rule) => [rule, summarize(rule, simulated)]))));
  return simulated;
}

function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
