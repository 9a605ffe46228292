import { measureAnalysis } from './self/analysis.ts';
import { type Budget, median } from './self/measurement.ts';
import { measurePage } from './self/page.ts';
import { measurePlanning } from './self/planning.ts';
import { measureRunOverhead } from './self/run-overhead.ts';
import { measureHelp, measureImport } from './self/start-up.ts';

/** Measures this project's performance budgets, most of them against a reference, and prints the results. */
const measurements = [
  measureImport,
  measureHelp,
  measureRunOverhead,
  measurePlanning,
  () => measureAnalysis(120_000, 1 / 4),
  () => measureAnalysis(1_000_000, 1 / 10),
  measurePage,
];

for (const measure of measurements) {
  const result = await measure();
  for (const budget of Array.isArray(result) ? result : [result]) console.log(lineOf(budget));
}

function lineOf(budget: Budget | string): string {
  if (typeof budget === 'string') return `skipped  ${budget}`;
  const { name, ours, theirs, limit } = budget;
  const ratio = median(budget.ratios);
  const rounds = budget.ratios.length > 1 ? ` (rounds: ${budget.ratios.map(figure).join(', ')})` : '';
  return `${ratio <= limit ? 'kept    ' : 'MISSED  '} ${name}: ${figure(ratio)}, budget ${figure(limit)}; ${ours} beside ${theirs}${rounds}`;
}

function figure(value: number): string {
  return value >= 10 ? value.toFixed(0) : value.toFixed(3);
}
