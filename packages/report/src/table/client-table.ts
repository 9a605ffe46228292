import type { RatioInterval, SampleSummary } from '@bench-cli/stats';
import { meanInterval } from '@bench-cli/stats/internal';
import { percent } from '../figure-text.ts';
import { columnsNote, columnsOf, LEAST_NAME, type Table, textTable, widthOf } from './table.ts';

const { figure, names, words } = columnsOf<ClientRow>();

export interface ClientRow {
  readonly name: string;
  readonly samples: number;
  /** Answers per second; null for a failed client, which has no rank. */
  readonly rates: SampleSummary | null;
  /** The rate divided by the rate of the slowest client; null for the slowest. */
  readonly ratio: (Pick<RatioInterval, 'ratio'> & Partial<RatioInterval>) | null;
  readonly tie: string;
}

/** The table of undici's benchmarks. A narrow one loses the least important columns, then parts of names. */
export function renderClientTable(rows: readonly ClientRow[], width = Number.POSITIVE_INFINITY): string {
  const hasIntervals = rows.some(({ rates }) => rates !== null && rates.n > 1);
  const name = names('Tests', (row) => row.name, { least: LEAST_NAME });
  const samples = figure('Samples', (row) => `${row.samples}`);
  const rate = figure('Result', ({ rates }) => (rates ? `${rates.mean.toFixed(2)} req/sec` : 'failed'));
  const tolerance = figure('Tolerance', ({ rates }) => toleranceText(rates));
  const interval = figure('95 % interval', ({ rates }) => intervalText(rates));
  const last = [
    figure('Difference with slowest', ({ ratio }) => differenceText(ratio)),
    ...(rows.some(({ tie }) => tie !== '') ? [figure('Tied', ({ tie }) => tie)] : []),
  ];
  const choices = [
    [samples, rate, tolerance, ...(hasIntervals ? [interval] : []), ...last],
    [samples, rate, tolerance, ...last],
    [rate, tolerance, ...last],
    [rate, ...last],
  ].map((figures) => [name, ...figures].flatMap((column) => [bar, column]).concat(bar));
  const fitting = choices.findIndex((columns) => widthOf(columns, rows, GAP) <= width);
  const columns = choices.at(fitting) ?? [];
  return `${framed({ rows, columns }, width)}${fitting === 0 ? '' : columnsNote(width)}`;
}

const GAP = ' ';
const bar = words('│', () => '│');

function framed(table: Table<ClientRow>, width: number): string {
  const [header = '', ...lines] = textTable(table, { gap: GAP, width }).trimEnd().split('\n');
  const dashes = header.slice(1, -1).replaceAll(/[^│]/g, '─');
  const ruler = (left: string, join: string, right: string) =>
    `${left}${dashes.replaceAll('│', join)}${right}`;
  const body = lines.flatMap((line) => [ruler('|', '|', '|'), line]);
  return [ruler('┌', '┬', '┐'), header, ...body, ruler('└', '┴', '┘'), ''].join('\n');
}

/** The relative standard error of the mean. */
function toleranceText(rates: SampleSummary | null): string {
  if (rates === null) return '-';
  const { n, mean, variance } = rates;
  return variance === null || mean === 0 ? 'none' : `± ${percent(Math.sqrt(variance / n) / mean)} %`;
}

function intervalText(rates: SampleSummary | null): string {
  const interval = rates && meanInterval(rates);
  return interval === null ? '-' : `${interval.low.toFixed(0)} to ${interval.high.toFixed(0)}`;
}

function differenceText(ratio: ClientRow['ratio']): string {
  if (ratio === null) return '-';
  const { low, high } = ratio;
  const isKnown = low !== undefined && high !== undefined;
  return `${signed(ratio.ratio - 1)}${isKnown ? ` (${boundText(low)} to ${boundText(high)})` : ''}`;
}

/** Larger bounds are shown as more than this. */
const MOST_BOUND = 100;

function boundText(ratio: number): string {
  return ratio > MOST_BOUND ? `> + ${MOST_BOUND * 100} %` : signed(ratio - 1, 1);
}

function signed(fraction: number, decimals = 2): string {
  return `${fraction < 0 ? '-' : '+'} ${percent(Math.abs(fraction), decimals)} %`;
}
