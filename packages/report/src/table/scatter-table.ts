import type { ParameterValue } from '@bench-cli/results';
import type { ScatterTable } from '@bench-cli/stats/internal';
import { shortPercent } from '../figure-text.ts';
import { escapeAsR } from './cell.ts';
import { formatRColumn } from './r-numbers.ts';
import { columnsOf, textTable } from './table.ts';

const { figure } = columnsOf<ScatterTable['cells'][number]>();

/** The table of scatter.R, and what the aggregated parameters explain. */
export function renderScatter(table: ScatterTable): string {
  return renderScatterTable(table) + renderVarianceShares(table);
}

/**
 * The names of aggregated variables and the table that Node core's scatter.R prints, with a line end. There are two
 * differences: text such as `true` is not changed, and wide tables are not split.
 */
export function renderScatterTable(table: ScatterTable): string {
  const { cells, category } = table;
  const column = (title: string, texts: readonly string[]) =>
    figure(` ${title}`, (_, at) => ` ${texts[at] ?? ''}`);
  const all = [
    column(table.xaxis, formatValues(cells.map((cell) => cell.x))),
    category !== undefined && column(category, formatValues(cells.map((cell) => cell.category))),
    column('rate', formatRColumn(cells.map((cell) => cell.mean))),
    column('confidence.interval', formatRColumn(cells.map((cell) => cell.halfWidth))),
  ];
  const aggregated = table.aggregated.map(({ name }) => `aggregating variable: ${name}\n`);
  return `${aggregated.join('')}${aggregated.length > 0 ? '\n' : ''}${textTable({ rows: cells, columns: all }, { gap: '' })}`;
}

/** Above this share, an aggregated parameter explains most of the variance. */
const MOST = 0.5;

/** Says how much of the variance within the cells the aggregated parameters explain; empty if there are none. */
function renderVarianceShares({ aggregated }: ScatterTable): string {
  const known = aggregated.flatMap(({ name, share }) => (share === null ? [] : [{ name, share }]));
  if (known.length === 0) return '';
  const shares = known.map(({ name, share }) => `${name} ${shareText(share)}`).join(', ');
  const dominant = known.filter(({ share }) => share > MOST).map(({ name }) => name);
  const [first] = dominant;
  const advice =
    first === undefined
      ? ''
      : `Increasing --runs will not remove the variance that comes from ${dominant.join(' and ')}: select one value, such as with --where '${first}=...', or use --category ${first}.\n`;
  return `\nshare of the variance within a row: ${shares}\n${advice}`;
}

/** A share in per cent, but never 100 % for a part. */
function shareText(share: number): string {
  return share < 1 && share >= 0.995 ? '> 99 %' : shortPercent(share);
}

/** R stores whole numbers of 32 bits as integers and prints all their digits. */
const LARGEST_INTEGER = 2 ** 31 - 1;

function formatValues(values: readonly ParameterValue[]): string[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length) return values.map((value) => escapeAsR(String(value)));
  const areIntegers = numbers.every((value) => Number.isInteger(value) && Math.abs(value) <= LARGEST_INTEGER);
  return areIntegers ? numbers.map(String) : formatRColumn(numbers);
}
