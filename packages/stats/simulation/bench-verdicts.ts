import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { renderSvg } from '@bench-cli/plots';
import type { Verdict } from '@bench-cli/stats';
import {
  type Claim,
  claimOfFamily,
  claimOfPower,
  claimOfPrecision,
  claimOfRuns,
  claimsOfErrors,
  isKept,
  SLACK,
} from './claim.ts';
import { simulateFamilies } from './family.ts';
import { type Cell, type CellResult, cellsOf, largeDeviations, simulateCell } from './grid.ts';
import { noises, normalNoise, type Truth } from './noise.ts';
import {
  boundaryPicture,
  type Example,
  exampleOf,
  falseVerdictsPicture,
  pathsPicture,
  runsPicture,
} from './pictures.ts';
import { simulatePrecision } from './precision.ts';
import { randomStreams } from './random.ts';
import type { Rule } from './rule.ts';
import { adaptive } from './rules/adaptive.ts';
import { fixed } from './rules/fixed.ts';
import { peeking } from './rules/peeking.ts';
import { tachometer } from './rules/tachometer.ts';
import { summarize } from './summary.ts';
import { cellTable, claimLine, familyTable, precisionTable, summaryTable } from './text.ts';

/**
 * Simulates comparisons whose truth is known, judges them with the rule of `--runs auto` and with other rules, and prints
 * whether the guarantees of docs/adaptive-runs.md hold. Exits with 1 if one does not. `--quick` simulates 200 times fewer
 * comparisons, and `--pictures` draws the pictures of the docs.
 */
const { values: options } = parseArgs({
  options: { quick: { type: 'boolean' }, pictures: { type: 'boolean' } },
});
const comparisons = options.quick ? 50 : 10_000;
const commands = options.quick ? 5 : 1000;

const rules: readonly Rule[] = [adaptive, fixed, tachometer, peeking];
const promisedNoises = noises.filter(({ isExchangeable }) => isExchangeable);
const streams = randomStreams(20_260_501);
const claims: Claim[] = [];

print(`Share of ${comparisons} comparisons, in %, and mean runs; noise is the standard deviation of a run.`);
const results = noises.flatMap((noise) => {
  const promise = noise.isExchangeable ? '' : ', of which nothing is promised';
  return simulate(`${noise.name} noise${promise}`, cellsOf(noise));
});
const large = simulate('normal noise on a machine that others use', cellsOf(normalNoise, largeDeviations));
const promised = results.filter(({ cell }) => cell.noise.isExchangeable);
claims.push(...claimsOfErrors(summarize(adaptive, [...promised, ...large])));
claims.push(claimOfPower(summarize(adaptive, promised)));
for (const noise of promisedNoises) {
  const ofNoise = promised.filter(({ cell }) => cell.noise === noise);
  claims.push(claimOfRuns(noise.name, summarize(adaptive, ofNoise)));
}

print(`\nAll configurations of a command together: ${commands} commands of 200 configurations`);
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

print('\nRates of one subject: intervals that miss the true rate, and mean runs\n');
for (const noise of promisedNoises) {
  const rates = simulatePrecision(noise, comparisons, streams.next().value);
  print(precisionTable(noise.name, rates));
  if (noise === normalNoise) claims.push(claimOfPrecision(noise.name, rates));
}

print(`\nPromises, with ${SLACK} standard errors of allowance for the simulation\n`);
for (const claim of claims) print(claimLine(claim));
process.exitCode = claims.every(isKept) ? 0 : 1;

if (options.pictures) {
  const examples = [
    typicalExample({ effect: 0.03, deviation: 0.02 }, 'faster'),
    typicalExample({ effect: 0, deviation: 0.015 }, 'no difference'),
    typicalExample({ effect: 0.01, deviation: 0.04 }, 'undecided'),
  ];
  const pictures = {
    paths: pathsPicture(examples),
    boundary: boundaryPicture(examples),
    runs: runsPicture(adaptive, promised),
    'false-verdicts': falseVerdictsPicture(rules, results),
  };
  for (const [name, picture] of Object.entries(pictures)) {
    const file = new URL(`../docs/pictures/verdicts-${name}.svg`, import.meta.url);
    await writeFile(file, `${await renderSvg(picture)}\n`);
  }
}

/** The next simulated example that ends with the expected verdict. */
function typicalExample(truth: Truth, verdict: Verdict): Example {
  const example = exampleOf(truth, streams.next().value);
  return example.verdict === verdict ? example : typicalExample(truth, verdict);
}

function simulate(title: string, cells: readonly Cell[]): readonly CellResult[] {
  const simulated = cells.map((cell) =>
    simulateCell(cell, { rules, reference: fixed }, comparisons, streams.next().value),
  );
  print(`\n${title}\n\n${cellTable(rules, simulated)}\n`);
  print(summaryTable(new Map(rules.map((rule) => [rule, summarize(rule, simulated)]))));
  return simulated;
}

function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}
