import { type ComparisonList, comparisonName, type NamedComparison } from '@bench-cli/stats';
import { alignLeft, alignRight, escapeAsR, widest } from './cell.ts';
import type { DetailColumn } from './detail-column.ts';
import { fixedPoint } from './fixed-point.ts';
import type { CompareColumn, PaintCompareCell } from './paint.ts';

export interface CompareTableOptions {
  /** Default: cells stay as they are. */
  readonly paint?: PaintCompareCell;
  /** Columns to the right of compare.R's; default: none. */
  readonly extra?: readonly ExtraColumn[];
}

/** A column of texts, one for each comparison in the order of the list. */
export interface ExtraColumn {
  readonly key: DetailColumn;
  readonly title: string;
  readonly cells: readonly string[];
}

interface Column {
  readonly key: CompareColumn;
  readonly title: string;
  readonly cell: (comparison: NamedComparison) => string;
  readonly align: (text: string, width: number) => string;
}

const COLUMNS: readonly Column[] = [
  { key: 'name', title: '', cell: (it) => escapeAsR(comparisonName(it)), align: alignLeft },
  {
    key: 'confidence',
    title: 'confidence',
    cell: (it) => (it.test.kind === 'none' ? 'NA' : it.stars),
    align: alignRight,
  },
  {
    key: 'improvement',
    title: 'improvement',
    cell: (it) => (it.improvement === null ? 'NA' : `${percent(it.improvement)} %`),
    align: alignRight,
  },
  { key: 'p05', title: 'accuracy (*)', cell: (it) => tolerance(it.accuracy?.p05), align: alignRight },
  { key: 'p01', title: '(**)', cell: (it) => tolerance(it.accuracy?.p01), align: alignRight },
  { key: 'p001', title: '(***)', cell: (it) => tolerance(it.accuracy?.p001), align: alignRight },
];

/**
 * The table and the paragraph that Node core's compare.R prints, with a line end. It differs from R's only where R
 * prints `NaN %` or `Inf %` as an improvement (here `NA`), and beyond 200 columns, where R breaks the table up.
 */
export function renderCompareTable(list: ComparisonList, options: CompareTableOptions = {}): string {
  const paint = options.paint ?? ((text) => text);
  const columns = [
    ...COLUMNS.map((column) => ({ ...column, cells: list.comparisons.map(column.cell) })),
    ...(options.extra ?? []).map((column) => ({ ...column, align: alignRight })),
  ].map(({ key, title, cells, align }) => {
    const width = widest([title, ...cells]);
    return { key, title: align(title, width), cells: cells.map((cell) => align(cell, width)) };
  });
  const header = columns.map(({ key, title }) => paint(title, { column: key, comparison: null })).join(' ');
  const rows = list.comparisons.map((comparison, row) =>
    columns.map(({ key, cells }) => paint(cells[row] ?? '', { column: key, comparison })).join(' '),
  );
  return `${[header, ...rows].join('\n')}\n\n${falsePositiveParagraph(list)}`;
}

function falsePositiveParagraph({ comparisons, falsePositives }: ComparisonList): string {
  return `Be aware that when doing many comparisons the risk of a false-positive
result increases. In this case, there are ${comparisons.length} comparisons, you can thus
expect the following amount of false-positive results:
  ${fixedPoint(falsePositives.p05, 2)} false positives, when considering a   5% risk acceptance (*, **, ***),
  ${fixedPoint(falsePositives.p01, 2)} false positives, when considering a   1% risk acceptance (**, ***),
  ${fixedPoint(falsePositives.p001, 2)} false positives, when considering a 0.1% risk acceptance (***)
`;
}

function tolerance(halfWidth: number | undefined): string {
  return halfWidth === undefined ? 'NA' : `±${percent(halfWidth)}%`;
}

function percent(fraction: number): string {
  return fixedPoint(fraction * 100, 2);
}
