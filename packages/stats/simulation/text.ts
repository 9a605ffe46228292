import { type Claim, isKept } from './claim.ts';
import type { Estimate } from './estimate.ts';
import type { FamilyResult } from './family.ts';
import type { GateResult } from './gates.ts';
import type { Cell, CellResult, Tally } from './grid.ts';
import type { PilotResult } from './pilots.ts';
import type { PrecisionResult } from './precision.ts';
import type { RankingResult } from './rankings.ts';
import type { Rule } from './rules.ts';
import type { SubjectsResult } from './subjects.ts';
import type { Summary, Worst } from './summary.ts';

const columns = ['faster', 'slower', 'same', 'open', 'runs'] as const;
const columnWidth = 7;

/** One line per cell: the verdicts under each rule. */
export function cellTable(rules: readonly Rule[], results: readonly CellResult[]): string {
  const groupWidth = columns.length * columnWidth;
  const head = `${' '.repeat(14)}${rules.map(({ name }) => ` |${name.padStart(groupWidth)}`).join('')}`;
  const titles = rules.map(() => ` |${columns.map((title) => title.padStart(columnWidth)).join('')}`);
  const lines = results.map(({ cell, comparisons, tallies }) => {
    const groups = rules.map((rule) => ` |${groupOf(tallies.get(rule), comparisons)}`);
    return `${percent(cell.effect, 7)}${percent(cell.deviation, 7)}${groups.join('')}`;
  });
  return [head, ` effect  noise${titles.join('')}`, ...lines].map((line) => `${line}\n`).join('');
}

function groupOf(tally: Tally | undefined, comparisons: number): string {
  if (tally === undefined) return ''.padStart(columns.length * columnWidth);
  const { higher, lower, same, undecided } = tally.verdicts;
  const shares = [higher, lower, same, undecided].map((count) => percent(count / comparisons, columnWidth));
  return `${shares.join('')}${tally.runs.value.toFixed(1).padStart(columnWidth)}`;
}

/** One line per rule: its worst figures, and its mean power and runs. */
export function summaryTable(summaries: ReadonlyMap<Rule, Summary>): string {
  return [...summaries]
    .map(([{ name }, { falseDifference, wrongDirection, falseEquality, loss, power, runs }]) => {
      const figures = [
        `false difference ${worst(falseDifference)}`,
        `wrong direction ${worst(wrongDirection)}`,
        `false equality ${worst(falseEquality)}`,
        `power lost ${worst(loss)}`,
        `power ${percent(power.value)} %`,
        `${runs.value.toFixed(1)} runs`,
      ];
      return `${name.padEnd(11)} ${figures.join(', ')}\n`;
    })
    .join('');
}

function worst({ value, cell }: Worst): string {
  return `${percent(value)} % ${placeOf(cell)}`;
}

function placeOf({ effect, deviation }: Cell): string {
  return `(effect ${percent(effect)} %, noise ${percent(deviation)} %)`;
}

/** One line per noise and method: the commands that cross a gate that all of their cases are exactly at. */
export function gateTable(results: readonly GateResult[]): string {
  return results
    .map(
      ({ noise, method, crossed, uncorrected }) =>
        `${noise.name.padEnd(36)} ${method.padEnd(11)} ${withError(crossed)} %, without correction ${withError(uncorrected)} %\n`,
    )
    .join('');
}

const familyTitles = [
  'cases',
  'differ',
  'rule',
  'false',
  'missed',
  'same',
  'bounds',
  'bias',
  'of bounds',
  'power',
  'runs',
];

/**
 * One line per family and rule, in %: false discoveries; intervals that miss the truth; differences that are called "no difference";
 * bounds beyond the truth; how much too large the estimates of the found differences are, and their bounds; power; and mean runs.
 */
export function familyTable(results: readonly FamilyResult[]): string {
  const lines = results.map(({ cases, changed, rule, figures }) => {
    const { falseDiscoveries, missed, falseEqualities, wrongBounds, bias, biasOfBounds, power, runs } =
      figures;
    const shares = [missed, falseEqualities, wrongBounds, bias, biasOfBounds, power];
    return [
      `${cases}`,
      `${changed * 100} %`,
      rule,
      withError(falseDiscoveries),
      ...shares.map(({ value }) => (Number.isNaN(value) ? '' : percent(value))),
      runs.value.toFixed(1),
    ];
  });
  return [familyTitles, ...lines]
    .map((line) => `${line.map((cell, at) => cell.padStart(at === 3 ? 14 : 10)).join('')}\n`)
    .join('');
}

/** One line per way to judge the subjects of a command. */
export function subjectsTable(results: readonly SubjectsResult[]): string {
  return results
    .map(
      ({ rule, falseDiscoveries, discoveries, falseDistinctions, distinctions, runs }) =>
        `${rule.padEnd(20)} false discoveries ${withError(falseDiscoveries)} %, discoveries ${discoveries.value.toFixed(1)}, ` +
        `false letters ${withError(falseDistinctions)} %, right ones ${distinctions.value.toFixed(1)}, ${runs.value.toFixed(1)} runs\n`,
    )
    .join('');
}

/** One line per noise. */
export function precisionTable(noise: string, results: readonly PrecisionResult[]): string {
  const figures = results.map(
    ({ deviation, missed, runs }) =>
      `${percent(deviation)} %: missed ${withError(missed)} %, ${runs.value.toFixed(1)} runs`,
  );
  return `${noise.padEnd(36)} ${figures.join('; ')}\n`;
}

export function claimLine(claim: Claim): string {
  const { what, found, limit, unit } = claim;
  const [value, error, most] = [found.value, found.standardError, limit].map((figure) =>
    unit === '%' ? percent(figure, 0, 2) : figure.toFixed(2),
  );
  return `${isKept(claim) ? 'holds ' : 'BROKEN'} ${what}: ${value} ${unit} (standard error ${error}), at most ${most} ${unit}\n`;
}

export function rankingLine({ disturbances, values, cases, runs, wrong }: RankingResult): string {
  return `${disturbances.name.padEnd(26)} ${`${values} × ${cases} × ${runs}`.padEnd(14)} ${withError(wrong)} %`;
}

export function pilotLine({ noise, change, atMs, givenUp, again, other }: PilotResult): string {
  const world = change === 0 ? 'no change' : `+${100 * change} % at ${atMs} ms`;
  const shares = [givenUp, again, other].map((share) => `${withError(share)} %`.padStart(15));
  return `${noise.padEnd(36)} ${world.padEnd(18)} ${shares.join('')}`;
}

export function withError({ value, standardError }: Estimate): string {
  return `${percent(value, 0, 2)} ± ${percent(standardError, 0, 2)}`;
}

function percent(fraction: number, width = 0, digits = 1): string {
  return (fraction * 100).toFixed(digits).padStart(width);
}
