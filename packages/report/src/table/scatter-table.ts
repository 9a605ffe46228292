import { optionWords, type ParameterValue, shownIn, wrapped } from '@bench-cli/results';
import type { ScatterTable } from '@bench-cli/stats/internal';
import { fixedPoint, NONE, pValue, rateRange, rateText, ratioChange, shortPercent } from '../figure-text.ts';
import { columnsOf, textTable } from './table.ts';

const { figure, names, words } = columnsOf<ScatterTable['cells'][number]>();

/**
 * The table of scatter.R, the shares of aggregated parameters, and medians and changes by category.
 * @param width columns of the terminal, for sentences; default: unlimited
 */
export function renderScatter(table: ScatterTable, width = Number.POSITIVE_INFINITY): string {
  return renderScatterTable(table) + wrapped(renderVarianceShares(table), width) + renderSteps(table, width);
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

/** J. Romano et al., "Exploring methods for evaluating group differences on the NSSE", SAIR (2006). */
function magnitude(delta: number): string {
  const size = Math.abs(delta);
  if (size < 0.147) return 'negligible';
  if (size < 0.33) return 'small';
  return size < 0.474 ? 'medium' : 'large';
}

/**
 * The names of aggregated variables and the table of Node core's scatter.R. Unlike R, it does not change text
 * such as `true`, and does not split wide tables.
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

/** The share of the variance within the cells that aggregated parameters explain; empty without one. */
function renderVarianceShares({ aggregated }: ScatterTable): string {
  const known = aggregated.flatMap(({ name, share }) => (share === null ? [] : [{ name, share }]));
  if (known.length === 0) return '';
  const shares = known.map(({ name, share }) => `${name} ${shareText(share)}`).join(', ');
  const dominant = known.filter(({ share }) => share > MOST).map(({ name }) => name);
  const [first] = dominant;
  const line = `\nshare of the variance within a row: ${shares}\n`;
  if (first === undefined) return line;
  return `${line}Increasing --runs will not remove the variance that comes from ${dominant.join(' and ')}: select one value, such as with ${optionWords('where', `${first}=...`)}, or use ${optionWords('group-by', first)}.\n`;
}

/** A share in per cent, below 100 % unless complete. */
function shareText(share: number): string {
  return share < 1 && share >= 0.995 ? '> 99 %' : shortPercent(share);
}

/** R stores whole numbers of 32 bits as integers and prints all their digits. */
const LARGEST_INTEGER = 2 ** 31 - 1;

function formatValues(values: readonly ParameterValue[]): string[] {
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length < values.length) return values.map((value) => shownIn('name', String(value)));
  const areIntegers = numbers.every((value) => Number.isInteger(value) && Math.abs(value) <= LARGEST_INTEGER);
  return areIntegers ? numbers.map(String) : formatRColumn(numbers);
}

/** R's `getOption("digits")`. */
const R_DIGITS = 7;

/**
 * Formats a column of numbers as R does: with the fewest common decimals that show each number with 7
 * significant digits, or in scientific notation if narrower. Source: `formatReal` and `scientific` in R's
 * src/main/format.c.
 */
function formatRColumn(values: readonly (number | null)[]): string[] {
  const shapes = values.filter((value) => value !== null).map(shapeOf);
  const decimals = largest(shapes.map((shape) => shape.significant - shape.exponent - 1));
  const mantissaDecimals = largest(shapes.map((shape) => shape.significant - 1));
  const wholeWidth = largest(shapes.map((shape) => shape.wholeWidth));
  const fixedWidth = wholeWidth + withPoint(decimals);
  const scientificWidth = largest(shapes.map((shape) => shape.prefixWidth)) + withPoint(mantissaDecimals);
  const print =
    fixedWidth <= scientificWidth
      ? (value: number) => fixedPoint(value, decimals)
      : (value: number) => value.toExponential(mantissaDecimals).replace(/e([+-])(\d)$/, 'e$10$2');
  return values.map((value) => (value === null ? 'NA' : print(value)));
}

function shapeOf(value: number) {
  const sign = value < 0 ? 1 : 0;
  const [mantissa = '0', power = '0'] = Math.abs(value)
    .toExponential(R_DIGITS - 1)
    .split('e');
  const exponent = Number(power);
  const significant = mantissa.replace('.', '').replace(/0+$/, '').length || 1;
  const whole = exponent + 1 - (roundsUpOnlyHere(Math.abs(value), exponent) ? 1 : 0);
  return {
    /** Significant digits after rounding to 7. */
    significant,
    exponent,
    /** The width before the point in fixed notation. */
    wholeWidth: sign + Math.max(1, whole),
    // The width of sign, digit and an exponent such as e+06. Longer exponents are wider than fixed notation.
    prefixWidth: sign + 1 + 4,
  };
}

/** Whether rounding to 7 digits gives a power of ten that rounding to decimals does not give. */
function roundsUpOnlyHere(magnitude: number, exponent: number): boolean {
  const decimals = Math.max(0, R_DIGITS - exponent);
  return exponent > 0 && exponent <= 22 && magnitude < 10 ** exponent - 0.5 / 10 ** decimals;
}

function largest(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), 0);
}

function withPoint(decimals: number): number {
  return decimals === 0 ? 0 : decimals + 1;
}
