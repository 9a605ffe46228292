import { UsageError } from '@bench-cli/results';
import type { ScatterTable } from '@bench-cli/stats';
import { Picture } from './picture.ts';
import { CONFIG, PALETTE } from './theme.ts';

export interface ScatterPlotOptions {
  /** The benchmark, as the title. */
  readonly title: string;
  /** Whether the x axis is logarithmic with base 2; default: false. */
  readonly log?: boolean;
}

/** More lines cannot be distinguished by colour and shape. Each category then has its own panel. */
const MOST_LINES = PALETTE.length;

/**
 * Mean rates by a parameter with their 95 % intervals and a line for each category, like scatter.R.
 *
 * @throws UsageError for a logarithmic axis of a parameter whose values are not all numbers above 0
 */
export function scatterPlot(table: ScatterTable, { title, log = false }: ScatterPlotOptions): Picture {
  const isNumber = table.cells.every(({ x }) => typeof x === 'number');
  if (log && !table.cells.every(({ x }) => typeof x === 'number' && x > 0)) {
    throw new UsageError(
      'ERR_BENCH_PLOT',
      `a logarithmic axis needs numbers above 0, and "${table.xaxis}" has other values: leave out --log, or select with --where '${table.xaxis}>0'`,
    );
  }
  const runs = table.cells.map(({ n }) => n);
  const [fewest, most] = [Math.min(...runs), Math.max(...runs)];
  const categories = [...new Set(table.cells.map(({ category }) => String(category)))];
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
    ...(categories.length > MOST_LINES ? [`a panel for each ${table.category}`] : []),
    ...(table.aggregated.length > 0
      ? [`averaged over ${table.aggregated.map(({ name }) => name).join(', ')}`]
      : []),
  ];
  const colour = {
    field: 'category',
    type: 'nominal' as const,
    scale: { domain: categories, range: [...PALETTE] },
    title: table.category ?? null,
  };
  const isFaceted = categories.length > MOST_LINES;
  const isPlain = isFaceted || table.category === undefined;
  const look = isPlain
    ? { color: { value: PALETTE[0] } }
    : {
        color: colour,
        shape: {
          field: 'category',
          type: 'nominal' as const,
          title: table.category,
          scale: { domain: categories },
        },
      };
  const line = isPlain ? look : { color: colour };
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
      labelOverlap: true,
      format: isNumber ? '~s' : '',
      ...(isNumber && distinct.length <= 12 && log ? { values: distinct, format: 'd' } : {}),
    },
  };
  const y = {
    type: 'quantitative' as const,
    title: isFaceted ? 'operations per second' : 'rate, operations per second (higher is better)',
    axis: { format: '~s', tickCount: 6 },
  };
  const layer = [
    {
      mark: { type: 'line' as const, strokeWidth: 1.5 },
      encoding: { x, y: { ...y, field: 'mean' }, ...line },
    },
    {
      mark: { type: 'rule' as const },
      encoding: { x, y: { ...y, field: 'low' }, y2: { field: 'high' }, ...line },
    },
    {
      mark: { type: 'tick' as const, width: 9, orient: 'horizontal' as const },
      encoding: { x, y: { ...y, field: 'low' }, ...line },
    },
    {
      mark: { type: 'tick' as const, width: 9, orient: 'horizontal' as const },
      encoding: { x, y: { ...y, field: 'high' }, ...line },
    },
    {
      mark: { type: 'point' as const, filled: true, size: 60, opacity: 1 },
      encoding: { x, y: { ...y, field: 'mean' }, ...look },
    },
  ];
  const top = {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    config: CONFIG,
    padding: 16,
    data: { values },
    title: { text: title, subtitle, offset: 14 },
  };
  if (!isFaceted) return new Picture({ ...top, width: 640, height: 400, layer });
  return new Picture({
    ...top,
    columns: 4,
    facet: {
      field: 'category',
      type: 'nominal',
      title: null,
      sort: null,
    },
    spec: { width: 220, height: 170, layer },
  });
}
