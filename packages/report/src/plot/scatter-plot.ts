import { optionWords, UsageError } from '@bench-cli/results';
import type { ScatterTable } from '@bench-cli/stats/internal';
import { Picture } from './picture.ts';
import { PALETTE, RATE_LABEL } from './theme.ts';

/** More lines cannot be distinguished by colour and shape. Each category then has its own panel. */
const MOST_LINES = PALETTE.length;
/** More values of an axis are not all named. */
const MOST_TICKS = 12;
/** Letters that fit the axis. */
const LINE_LETTERS = 90;

/**
 * Mean rates by a parameter with their 95 % intervals, like scatter.R. A line joins the points of a category if the parameter
 * is a number; there is nothing between two texts.
 * @param log whether the x axis is logarithmic with base 2
 * @throws UsageError for a logarithmic axis of a parameter whose values are not all numbers above 0
 */
export function scatterPlot(table: ScatterTable, title: string, log = false): Picture {
  const isNumber = table.cells.every(({ x }) => typeof x === 'number');
  if (log && !table.cells.every(({ x }) => typeof x === 'number' && x > 0)) {
    throw new UsageError(
      'ERR_BENCH_PLOT',
      `a logarithmic axis needs numbers above 0, and "${table.xaxis}" has other values: leave out --log, or select with ${optionWords('where', `${table.xaxis}>0`)}`,
    );
  }
  const runs = table.cells.map(({ n }) => n);
  const [fewest, most] = [Math.min(...runs), Math.max(...runs)];
  const categories = [...new Set(table.cells.map(({ category }) => String(category)))];
  const isFaceted = categories.length > MOST_LINES;
  const values = table.cells.map(({ x, category, mean, halfWidth }) => ({
    x,
    category: String(category),
    mean,
    low: Math.max(0, mean - (halfWidth ?? 0)),
    high: mean + (halfWidth ?? 0),
  }));
  const distinct = [...new Set(values.flatMap(({ x }) => (typeof x === 'number' ? [x] : [])))];
  const subtitle = [
    `mean and 95 % interval, n = ${fewest === most ? fewest : `${fewest} to ${most}`} runs a point`,
    ...(isFaceted ? [`a panel for each ${table.category}`] : []),
    ...(table.aggregated.length > 0
      ? [`averaged over ${table.aggregated.map(({ name }) => name).join(', ')}`]
      : []),
  ];
  const isPlain = isFaceted || table.category === undefined;
  const byCategory = { field: 'category', type: 'nominal' as const, title: table.category ?? null };
  const line = {
    color: isPlain
      ? { value: PALETTE[0] }
      : { ...byCategory, scale: { domain: categories, range: [...PALETTE] } },
  };
  const point = isPlain ? line : { ...line, shape: { ...byCategory, scale: { domain: categories } } };
  const x = {
    field: 'x',
    type: isNumber ? ('quantitative' as const) : ('ordinal' as const),
    sort: null,
    title: `${table.xaxis}${log ? ' (log2 scale)' : ''}`,
    scale: log
      ? { type: 'log' as const, base: 2, nice: false, padding: 12 }
      : isNumber
        ? { zero: false, padding: 12 }
        : {},
    axis: {
      labelOverlap: 'greedy' as const,
      labelFlush: false,
      titleAnchor: 'middle' as const,
      // As many digits as the values have.
      ...(isNumber
        ? { labelExpr: "format(datum.value, '')", grid: log }
        : { labelAngle: labelAngle(values) }),
      ...(isNumber && distinct.length <= MOST_TICKS && { values: distinct }),
    },
  };
  const y = (field: 'mean' | 'low' | 'high') => ({
    field,
    type: 'quantitative' as const,
    title: isFaceted ? 'operations per second' : 'rate, operations per second (higher is better)',
    axis: { labelExpr: RATE_LABEL, tickCount: 6 },
  });
  const tick = { type: 'tick' as const, width: 9, orient: 'horizontal' as const };
  // Points of the same text stand next to each other.
  const place =
    isNumber || isPlain ? { x } : { x, xOffset: { field: 'category', scale: { domain: categories } } };
  const joint = { mark: { type: 'line' as const, strokeWidth: 1.5 }, encoding: { x, y: y('mean'), ...line } };
  const layer = [
    ...(isNumber ? [joint] : []),
    { mark: { type: 'rule' as const }, encoding: { ...place, y: y('low'), y2: { field: 'high' }, ...line } },
    { mark: tick, encoding: { ...place, y: y('low'), ...line } },
    { mark: tick, encoding: { ...place, y: y('high'), ...line } },
    {
      mark: { type: 'point' as const, filled: true, size: 60, opacity: 1 },
      encoding: { ...place, y: y('mean'), ...point },
    },
  ];
  const top = { data: { values }, title: { text: title, subtitle, offset: 14 } };
  if (!isFaceted) return new Picture({ ...top, width: 640, height: 400, layer });
  return new Picture({
    ...top,
    columns: 4,
    facet: { field: 'category', type: 'nominal', title: null, sort: null },
    spec: { width: 220, height: 170, layer },
    resolve: { axis: { x: 'independent', y: 'independent' } },
  });
}

/** Texts that do not fit next to each other are turned. */
function labelAngle(values: readonly { readonly x: unknown }[]): number {
  const texts = [...new Set(values.map(({ x }) => String(x)))];
  const longest = Math.max(...texts.map(({ length }) => length));
  return longest * texts.length <= LINE_LETTERS ? 0 : -40;
}
