import { argumentsOf, type NamedCase, type ParameterValue, type Sample } from '@bench-cli/results';
import { type RankedValue, rankValues } from '@bench-cli/stats/internal';
import { caseLabels } from '../case-label.ts';
import { fixedPoint, percent, rateInUnit } from '../figure-text.ts';
import { benchmarkHeading } from './cell.ts';
import { columnsOf, textTable, widthOf } from './table.ts';

const { figure, names, words } = columnsOf<RunRow>();

/** A case with its rate. */
export interface RunRow extends NamedCase {
  /** Operations per second. */
  readonly rate: number;
  /** How uncertain or variable the rate is, a fraction; null for a single run. */
  readonly spread: number | null;
  readonly runs: number;
  /** A further fact, such as the latency. */
  readonly note: string;
}

/** Shorter names cannot be told apart. */
const LEAST_NAME = 16;

/**
 * The rates of one benchmark, one line per case. Parameters with one value are above the table.
 *
 * @param width columns of the terminal; long names are shortened to it
 */
export function renderRunTable(benchmark: string, rows: readonly RunRow[], width: number): string {
  const { shared, labelOf } = caseLabels(rows);
  const hasSpread = rows.some(({ spread }) => spread !== null);
  const note = words('', (row) => row.note);
  const hasNote = rows.some((row) => row.note !== '');
  const columns = [
    names('', (row) => labelOf(row) || benchmark, { indent: '  ', least: LEAST_NAME }),
    figure('ops/s', ({ rate }) => rateInUnit(rate)),
    hasSpread && figure('', ({ spread }) => (spread === null ? '' : `±${percent(spread, 1)} %`)),
    hasSpread && figure('runs', ({ runs }) => String(runs)),
    hasNote && note,
  ];
  // Notes are as long as they must be.
  const whole = hasNote ? width + 2 + widthOf([note], rows) : width;
  return `${benchmarkHeading(benchmark, shared, width)}\n${textTable({ rows, columns }, { width: whole })}`;
}

/** More values are not listed. */
const MOST_RANKED = 10;

/**
 * Which values of each parameter are faster, if the parameter is text or boolean: numbers are sizes, whose rates say nothing
 * about which is better. Empty without such a parameter, and for too few runs to tell.
 *
 * @param maxRuns the limit of adaptive runs of each case; undefined for a fixed number of runs
 */
export function renderRankings(samples: readonly Sample[], maxRuns?: number): string {
  const names = new Set(samples.flatMap(({ configuration }) => Object.keys(configuration)));
  return [...names]
    .filter((name) => samples.every(({ configuration }) => typeof configuration[name] !== 'number'))
    .map((name) => {
      const ranking = rankValues(samples, name, maxRuns);
      if (ranking === null) return '';
      const { fastest, others } = ranking;
      const listed = others.slice(0, MOST_RANKED).map((other) => `    ${rankText(other)}\n`);
      const more = others.length > MOST_RANKED ? `    and ${others.length - MOST_RANKED} more\n` : '';
      return `  ${named(name, fastest)} is\n${listed.join('')}${more}`;
    })
    .join('');

  function named(name: string, value: ParameterValue): string {
    return argumentsOf({ [name]: value }).join('');
  }
}

function rankText({ value, ratio, interval: { low, high }, isCertain }: RankedValue): string {
  const range = `${fixedPoint(low, 2)} to ${fixedPoint(high, 2)}`;
  return isCertain
    ? `${fixedPoint(ratio, 2)} times as fast as ${value} (${range})`
    : `not certainly faster than ${value} (${range} times as fast)`;
}
