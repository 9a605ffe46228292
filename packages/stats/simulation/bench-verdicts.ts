import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import {
  type Claim,
  claimOfPower,
  claimOfRuns,
  claimsOfErrors,
  claimsOfFamilies,
  claimsOfGates,
  claimsOfPrecision,
  claimsOfSubjects,
  isKept,
  SLACK,
} from './claim.ts';
import { simulateFamily } from './family.ts';
import { simulateGatePower, simulateGates } from './gates.ts';
import {
  type Cell,
  type CellResult,
  cellsOf,
  largeDeviations,
  simulateCell,
  usualDeviations,
} from './grid.ts';
import {
  alternating,
  lasting,
  lopsided,
  modes,
  normalNoise,
  rareModes,
  shapes,
  threeModes,
  twoModes,
} from './noise.ts';
import { pictureData, typicalExample } from './picture-data.ts';
import { simulatePrecision } from './precision.ts';
import { randomStreams } from './random.ts';
import { recordedDeviation, recordedNoise } from './recorded-noise.ts';
import { adaptive, extending, fixed, peeking, type Rule } from './rules.ts';
import { searchNoise } from './search.ts';
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
 * whether the guarantees of docs/adaptive-statistics.md hold. The exit code is 1 if one does not.
 *
 * `--comparisons` scales the effort: it is the number for the largest families of each noise (default: 10,000). `--pictures`
 * writes the data of the pictures of the docs to a file, which `node packages/report/simulation/verdict-pictures.ts <file>` draws.
 */
const { values: options } = parseArgs({
  options: { comparisons: { type: 'string', default: '10000' }, pictures: { type: 'string' } },
});
const comparisons = Number(options.comparisons);
/** The number of commands with so many comparisons. */
const commandsOf = (cases: number, share = 1) => Math.max(2, Math.ceil((share * comparisons) / cases));

const noises = [...shapes, ...modes, ...rareModes, ...lasting, ...alternating, ...lopsided, recordedNoise];
const processes = [...shapes, twoModes, threeModes];
const streams = randomStreams(20_261_123);
const claims: Claim[] = [];

const families = [
  { cases: 1, changed: 0, share: 0.4 },
  { cases: 20, changed: 0, share: 0.6 },
  { cases: 100, changed: 0, share: 1 },
  { cases: 20, changed: 0.1, share: 0.2 },
  { cases: 100, changed: 0.1, share: 0.5 },
  { cases: 20, changed: 0.5, share: 0.2 },
  { cases: 100, changed: 0.5, share: 0.2 },
];
const largeFamilies = [
  { cases: 1000, changed: 0, share: 1 },
  { cases: 1000, changed: 0.1, share: 0.5 },
];
const familyResults = noises.flatMap((noise) => {
  const ofNoise = processes.includes(noise) ? [...families, ...largeFamilies] : families;
  const results = ofNoise.flatMap(({ share, ...family }) =>
    simulateFamily({ noise, ...family }, commandsOf(family.cases, share), streams.next().value),
  );
  print(`\n${noise.name}${noise.isPromised ? '' : ', without guarantees'}\n\n${familyTable(results)}`);
  return results;
});
claims.push(...claimsOfFamilies(familyResults.filter(({ noise }) => noise.isPromised)));

const rules: readonly Rule[] = [adaptive, fixed, tachometer, peeking];
const usual = processes.flatMap((noise) => simulate(`${noise.name} noise`, cellsOf(noise)));
const ofShapes = usual.filter(({ cell }) => shapes.includes(cell.noise));
const large = simulate('normal noise of a shared machine', cellsOf(normalNoise, largeDeviations));
const recorded = simulate(
  'noise of recorded runs',
  cellsOf(recordedNoise, [...usualDeviations, ...largeDeviations, recordedDeviation]),
);
claims.push(...claimsOfErrors(summarize(adaptive, [...usual, ...large, ...recorded])));
claims.push(claimOfPower(summarize(adaptive, ofShapes)));
for (const noise of shapes) {
  const ofNoise = ofShapes.filter(({ cell }) => cell.noise === noise);
  claims.push(claimOfRuns(noise.name, summarize(adaptive, ofNoise)));
}

const extended = simulate(
  'sessions that go on while they are undecided',
  cellsOf(normalNoise, [...usualDeviations, ...largeDeviations]),
  [adaptive, extending],
);
claims.push(...claimsOfErrors(summarize(extending, extended)));

print('\nFour subjects, three of them compared with the first one: commands of 100 cases');
for (const [name, changed] of [
  ['none differs', 0],
  ['20 % of the subjects differ', 0.2],
] as const) {
  const setting = { changed, noises: processes };
  const results = simulateSubjects(setting, commandsOf(100), streams.next().value);
  print(`\n${name}\n\n${subjectsTable(results)}`);
  claims.push(...results.flatMap((result) => claimsOfSubjects(name, result)));
}

print("\n`--fail-on 'slower>=5%'`: commands of 20 cases, which are all slower by exactly 5 %\n");
const gates = [...processes, ...lasting, ...alternating, ...lopsided, recordedNoise].flatMap((noise) => {
  const ofNoise = (['fixed', 'stratified', 'sequential'] as const).map((method) =>
    simulateGates({ method, noise, cases: 20 }, commandsOf(20, 0.4), streams.next().value),
  );
  print(gateTable(ofNoise));
  return ofNoise;
});
claims.push(...claimsOfGates(gates.filter(({ noise }) => noise.isPromised)));

print(
  '\nOf commands with one case of 20 slower by 8 %, and runs that vary by 2 %, so many cross that gate\n',
);
for (const runs of [10, 30, 'auto', 'auto with the gate'] as const) {
  const found = simulateGatePower(runs, commandsOf(20), streams.next().value);
  print(`${String(runs).padEnd(18)} ${withError(found)} %`);
}

print('\nRates of one subject: intervals that miss the true rate, and mean runs\n');
for (const noise of [...shapes, ...modes, ...rareModes]) {
  const rates = simulatePrecision(noise, comparisons, streams.next().value);
  print(precisionTable(noise.name, rates));
  if (!rareModes.includes(noise)) claims.push(...claimsOfPrecision(noise.name, rates));
}

print('\nThe worst of kinds of noise that are drawn at random: equal subjects called different\n');
for (const { noise, results } of searchNoise(300, 0.2 * comparisons, streams.next().value)) {
  const shares = results.map(({ rule, figures }) => `${rule} ${withError(figures.falseDiscoveries)} %`);
  print(`${shares.join(', ')}: ${noise.name}`);
  claims.push(...claimsOfFamilies(results));
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
  await writeFile(options.pictures, JSON.stringify(pictureData({ adaptive, rules }, usual, examples)));
}

function simulate(title: string, cells: readonly Cell[], by = rules): readonly CellResult[] {
  const simulated = cells.map((cell) =>
    simulateCell(
      cell,
      { rules: by, reference: by.includes(fixed) ? fixed : adaptive },
      commandsOf(1, 0.2),
      streams.next().value,
    ),
  );
  print(`\n${title}\n\n${cellTable(by, simulated)}\n`);
  print(summaryTable(new Map(by.map((rule) => [rule, summarize(rule, simulated)]))));
  return simulated;
}

function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
