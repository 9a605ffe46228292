import { comparisonName } from '@bench-cli/stats';
import type { DetailedComparison, DetailedList } from '@bench-cli/stats';
import type { StopReason } from '@bench-cli/stats';
import { alignLeft, alignRight, escapeAsR, widest } from './cell.ts';
import type { ExtraColumn } from './compare-table.ts';
import { fixedPoint } from './fixed-point.ts';
import type { PaintCompareCell } from './paint.ts';

/** Why a configuration ran no more, in a few words. */
export const stopTexts: Readonly<Record<StopReason, string>> = {
  difference: 'they differ',
  equivalence: 'within the margin',
  futility: 'more runs would hardly tell',
  limit: 'all runs are used up',
  'zero rate': 'a rate of 0',
};

/** One that was not stopped: it failed, the time was up, or the session was cut off. */
const openText = 'not finished';

const COLUMNS = [
  { key: 'name', title: '', cell: (it) => escapeAsR(comparisonName(it)), align: alignLeft },
  { key: 'verdict', title: 'verdict', cell: (it) => it.verdict, align: alignLeft },
  {
    key: 'improvement',
    title: 'improvement',
    cell: ({ ratio }) => (ratio === null ? 'NA' : percent(ratio.ratio)),
    align: alignRight,
  },
  {
    key: 'interval',
    title: 'interval',
    cell: ({ ratio }) => (ratio === null ? 'NA' : `${percent(ratio.low)} to ${percent(ratio.high)}`),
    align: alignRight,
  },
  { key: 'pairs', title: 'runs', cell: (it) => String(it.sequential?.runs ?? 0), align: alignRight },
  { key: 'stopped', title: 'stopped because', cell: reasonText, align: alignLeft },
] as const satisfies readonly {
  readonly key: 'name' | 'verdict' | 'improvement' | 'interval' | 'pairs' | 'stopped';
  readonly title: string;
  readonly cell: (comparison: DetailedComparison) => string;
  readonly align: (text: string, width: number) => string;
}[];

/**
 * Comparisons that were judged while they ran, as a table with a line end. The improvement is the ratio of geometric means,
 * minus 1; its interval holds at whichever run the configuration stopped.
 */
export function renderSequentialTable(
  { comparisons }: DetailedList,
  {
    paint = (text) => text,
    extra = [],
  }: { readonly paint?: PaintCompareCell; readonly extra?: readonly ExtraColumn[] } = {},
): string {
  const columns = [
    ...COLUMNS.map(({ key, title, cell, align }) => ({ key, title, align, cells: comparisons.map(cell) })),
    ...extra.map((column) => ({ ...column, align: alignRight })),
  ].map(({ key, title, align, cells }) => {
    const width = widest([title, ...cells]);
    return { key, title: align(title, width), cells: cells.map((cell) => align(cell, width)) };
  });
  const header = columns.map(({ key, title }) => paint(title, { column: key, comparison: null }));
  const rows = comparisons.map((comparison, row) =>
    columns.map(({ key, cells }) => paint(cells[row] ?? '', { column: key, comparison })),
  );
  return [header, ...rows].map((cells) => `${cells.join('  ').trimEnd()}\n`).join('');
}

/** Why it ran no more, for people. */
export function reasonText({ sequential }: Pick<DetailedComparison, 'sequential'>): string {
  return sequential?.stopped == null ? openText : stopTexts[sequential.stopped];
}

/** A ratio as the change that it stands for; beyond ten times as fast the digits mean nothing. */
function percent(ratio: number): string {
  if (ratio > mostRatio) return `> +${(mostRatio - 1) * 100} %`;
  const change = (ratio - 1) * 100;
  return `${change > 0 ? '+' : ''}${fixedPoint(change, 1)} %`;
}

const mostRatio = 11;
