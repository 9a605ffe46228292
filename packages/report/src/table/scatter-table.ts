import type { ParameterValue } from '@bench-cli/results';
import type { ScatterTable } from '@bench-cli/stats/internal';
import { fixedPoint, pValue, rateText, shortPercent, signedPercent } from '../figure-text.ts';
import { escapeAsR } from './cell.ts';
import { formatRColumn } from './r-numbers.ts';
import { type Column, columnsOf, textTable } from './table.ts';

type Cell = ScatterTable['cells'][number];

const { figure, words } = columnsOf<Cell>();

/** A column that the table has on request. */
export type ScatterColumn = 'runs' | 'median' | 'chart';

export interface ScatterOptions {
  /** More columns of the table; default: none. */
  readonly columns?: readonly ScatterColumn[] | undefined;
  /** Whether the changes from each value on the x axis to the next follow; default: false. */
  readonly steps?: boolean | undefined;
}

/** The table of scatter.R, what the aggregated parameters explain, and what the options ask for. */
export function renderScatter(table: ScatterTable, { columns, steps = false }: ScatterOptions = {}): string {
  return renderScatterTable(table, columns) + renderVarianceShares(table) + (steps ? renderSteps(table) : '');
}

/**
 * The names of aggregated variables and the table that Node core's scatter.R prints, with a line end. There are two
 * differences: text such as `true` is not changed, and wide tables are not split. The columns on request follow.
 */
export function renderScatterTable(table: ScatterTable, columns: readonly ScatterColumn[] = []): string {
  const { cells, category } = table;
  const column = (title: string, texts: readonly string[]) =>
    figure(` ${title}`, (_, at) => ` ${texts[at] ?? ''}`);
  const all = [
    column(table.xaxis, formatValues(cells.map((cell) => cell.x))),
    category !== undefined && column(category, formatValues(cells.map((cell) => cell.category))),
    column('rate', formatRColumn(cells.map((cell) => cell.mean))),
    column('confidence.interval', formatRColumn(cells.map((cell) => cell.halfWidth))),
    ...columns.map((name) => requestedColumn(name, table)),
  ];
  const aggregated = table.aggregated.map(({ name }) => `aggregating variable: ${name}\n`);
  return `${aggregated.join('')}${aggregated.length > 0 ? '\n' : ''}${textTable({ rows: cells, columns: all }, { gap: '' })}${markNote(table, columns)}`;
}

function requestedColumn(column: ScatterColumn, { cells }: ScatterTable): Column<Cell> {
  switch (column) {
    case 'runs':
      return figure('  runs', ({ n }) => `  ${n}`);
    case 'median':
      return words('  median (95 %)', ({ median, medianInterval: interval, isSkewed }) =>
        [
          `  ${rateText(median)}`,
          interval === null ? 'NA' : `[${rateText(interval.low)}, ${rateText(interval.high)}]`,
          ...(isSkewed ? [MARK] : []),
        ].join(' '),
      );
    case 'chart': {
      const [title = '', ...bars] = chart(cells);
      return words(`  ${title}`, (_, at) => `  ${bars[at] ?? ''}`);
    }
  }
}

const MARK = '(!)';

function markNote({ cells }: ScatterTable, columns: readonly ScatterColumn[]): string {
  if (!columns.includes('median') || !cells.some(({ isSkewed }) => isSkewed)) return '';
  return `\n${MARK} the median is outside of the interval of the mean, or the rates are skewed: use the median, which a few unusual runs do not change\n`;
}

/** Characters of the chart. */
const CHART_WIDTH = 40;

/** Bars of the mean rates from 0, with their intervals: `███░│░`. */
function chart(cells: ScatterTable['cells']): readonly string[] {
  const most = Math.max(...cells.map(({ mean, halfWidth }) => mean + (halfWidth ?? 0)), Number.MIN_VALUE);
  const place = (rate: number) =>
    Math.min(CHART_WIDTH - 1, Math.max(0, Math.round((rate / most) * (CHART_WIDTH - 1))));
  const bars = cells.map(({ mean, halfWidth }) => {
    const [low, middle, high] = [-1, 0, 1].map((side) => place(mean + side * (halfWidth ?? 0)));
    return Array.from({ length: CHART_WIDTH }, (_, at) => {
      if (at === middle) return '│';
      if (at >= (low ?? 0) && at <= (high ?? 0)) return '░';
      return at < (middle ?? 0) ? '█' : ' ';
    }).join('');
  });
  const end = rateText(most);
  return [`0${end.padStart(CHART_WIDTH - 1)}`, ...bars];
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

/** The changes from each value on the x axis to the next; says why if there is none. */
function renderSteps({ xaxis, category, steps }: ScatterTable): string {
  if (steps.length === 0) {
    return `\nno steps: no two values of ${xaxis} have runs with the same other parameters\n`;
  }
  const { figure, names } = columnsOf<(typeof steps)[number]>();
  const table = textTable({
    rows: steps,
    columns: [
      category !== undefined && names(category, (it) => String(it.category)),
      names(xaxis, ({ from, to }) => `${from} -> ${to}`),
      figure('change', ({ ratio }) => (ratio === null ? 'NA' : `${signedPercent(ratio - 1, 1)} %`)),
      figure(`rate ~ ${xaxis}^k, k`, ({ exponent }) => (exponent === null ? 'NA' : fixedPoint(exponent, 2))),
      figure('rank test p', ({ p }) => pValue(p)),
      figure("Cliff's delta", ({ delta }) => `${fixedPoint(delta, 2)} (${magnitude(delta)})`),
    ],
  });
  const least = Math.max(...steps.map(({ leastP }) => leastP));
  const note =
    least < 0.05 ? '' : `With so few runs, p cannot be smaller than ${pValue(least)}: raise --runs.\n`;
  return `\n${table}${note}`;
}

/** Source: J. Romano et al., "Exploring methods for evaluating group differences on the NSSE", SAIR (2006). */
function magnitude(delta: number): string {
  const size = Math.abs(delta);
  if (size < 0.147) return 'negligible';
  if (size < 0.33) return 'small';
  return size < 0.474 ? 'medium' : 'large';
}

/** R stores whole numbers of 32 bits as integers and prints all their digits. */
const LARGEST_INTEGER = 2 ** 31 - 1;

function formatValues(values: readonly ParameterValue[]): string[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length) return values.map((value) => escapeAsR(String(value)));
  const areIntegers = numbers.every((value) => Number.isInteger(value) && Math.abs(value) <= LARGEST_INTEGER);
  return areIntegers ? numbers.map(String) : formatRColumn(numbers);
}
