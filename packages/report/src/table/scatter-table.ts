import { optionWords, shownIn, wrapped } from '@bench-cli/results';
import type { ScatterTable } from '@bench-cli/stats/internal';
import {
  fixedPoint,
  NONE,
  pValue,
  rateInUnit,
  rateRange,
  rateText,
  ratioChange,
  shortPercent,
} from '../figure-text.ts';
import { columnsOf, textTable } from './table.ts';

const { figure, names, words } = columnsOf<ScatterTable['cells'][number]>();

/**
 * The means of scatter.R, the shares of aggregated parameters, and medians and changes by category.
 * @param width columns of the terminal, for sentences; default: unlimited
 */
export function renderScatter(table: ScatterTable, width = Number.POSITIVE_INFINITY): string {
  return renderMeans(table) + wrapped(renderVarianceShares(table), width) + renderSteps(table, width);
}

/** The names of aggregated variables, and mean rates with their intervals, in the columns of scatter.R. */
function renderMeans({ xaxis, category, cells: rows, aggregated }: ScatterTable): string {
  const columns = [
    figure(xaxis, ({ x }) => shownIn('name', String(x))),
    category !== undefined && figure(category, (cell) => shownIn('name', String(cell.category))),
    figure('mean rate', ({ mean }) => rateInUnit(mean)),
    figure('95 % interval', ({ mean, halfWidth: half }) =>
      half === null ? NONE : rateRange({ low: Math.max(0, mean - half), high: mean + half }),
    ),
  ];
  const names = aggregated.map(({ name }) => `aggregating variable: ${name}\n`);
  return `${names.join('')}${names.length > 0 ? '\n' : ''}${textTable({ rows, columns })}`;
}

const MARK = '(!)';

/** The median of each cell, and the change from each value on the x axis to the next. */
function renderSteps({ xaxis, category, cells }: ScatterTable, width: number): string {
  const rows = Array.from(Map.groupBy(cells, (cell) => cell.category).values()).flat();
  const steps = rows.flatMap(({ step }) => step ?? []);
  const hasExponent = steps.some(({ exponent }) => exponent !== null);
  const change = (title: string, text: (step: (typeof steps)[number]) => string) =>
    steps.length > 0 && figure(title, ({ step }) => (step === null ? '' : text(step)));
  const table = textTable({
    rows,
    columns: [
      category !== undefined && names(category, (cell) => String(cell.category)),
      figure(xaxis, ({ x }) => shownIn('name', String(x))),
      figure('runs', ({ n }) => String(n)),
      figure('median', ({ median }) => rateText(median)),
      words('95 % interval', ({ medianInterval: interval, isSkewed }) =>
        [interval === null ? NONE : rateRange(interval, 3), ...(isSkewed ? [MARK] : [])].join(' '),
      ),
      change('change', ({ ratio }) => (ratio === null ? NONE : ratioChange(ratio))),
      hasExponent &&
        change('exponent', ({ exponent }) => (exponent === null ? NONE : fixedPoint(exponent, 2))),
      change('p', ({ p }) => pValue(p)),
      change("Cliff's delta", ({ delta }) => `${fixedPoint(delta, 2)} (${magnitude(delta)})`),
    ],
  });
  const least = Math.max(0, ...steps.map(({ leastP }) => leastP));
  const notes = [
    steps.length > 0 &&
      `change: of the mean from the value of ${xaxis} before; p: of a rank test, not corrected for the number of changes\n`,
    hasExponent && `exponent: the rate grows with this power of ${xaxis}\n`,
    least >= MOST_LEAST_P &&
      `With so few runs, p cannot be smaller than ${pValue(least)}: increase --runs to find more changes.\n`,
    cells.some(({ isSkewed }) => isSkewed) &&
      `${MARK} the median is outside of the interval of the mean, or the rates are skewed: the median describes a typical run better\n`,
  ]
    .filter((part) => part !== false)
    .join('');
  return `\n${table}${wrapped(notes, width)}`;
}

/** A test with a larger smallest p finds few changes, as scatter.js also says. */
const MOST_LEAST_P = 0.005;

/**
 * Source: J. Romano et al., "Exploring methods for evaluating group differences on the NSSE", SAIR (2006).
 */
function magnitude(delta: number): string {
  const size = Math.abs(delta);
  if (size < 0.147) return 'negligible';
  if (size < 0.33) return 'small';
  return size < 0.474 ? 'medium' : 'large';
}

/** Above this share, an aggregated parameter explains most of the variance. */
const MOST = 0.5;

/** The share of the variance within the cells that aggregated parameters explain; empty without one. */
function renderVarianceShares({ aggregated }: ScatterTable): string {
  const known = aggregated.flatMap(({ name, share }) => (share === null ? [] : [{ name, share }]));
  if (known.length === 0) return '';
  const shares = known.map(({ name, share }) => `${name} ${shareText(share)}`).join(', ');
  const dominant = known.filter(({ share }) => share > MOST).map(({ name }) => name);
  const [first] = dominant;
  const advice =
    first === undefined
      ? ''
      : `Increasing --runs will not remove the variance that comes from ${dominant.join(' and ')}: select one value, such as with ${optionWords('where', `${first}=...`)}, or use ${optionWords('group-by', first)}.\n`;
  return `\nshare of the variance within a row: ${shares}\n${advice}`;
}

/** A share in per cent, below 100 % unless complete. */
function shareText(share: number): string {
  return share < 1 && share >= 0.995 ? '> 99 %' : shortPercent(share);
}
