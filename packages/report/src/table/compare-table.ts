import type { Comparison, ComparisonList } from '@bench-cli/stats';
import { hasSeveral, tieCell } from '../comparison-name.ts';
import { viewOf } from '../method-view.ts';
import { type Column, columnsOf, type TextOptions, textTable } from './table.ts';

const { names, words } = columnsOf<Comparison>();

/**
 * The table of a list, in the form of its method, with a line end.
 * Unlike compare.R's, tables of more than 200 columns are not split.
 * @param extra further columns on the right
 */
export function renderCompareTable(
  list: ComparisonList,
  extra: readonly Column<Comparison>[] = [],
  paint?: TextOptions<Comparison>['paint'],
): string {
  const several = hasSeveral(list);
  const view = viewOf(list);
  const rows: readonly Comparison[] = list.comparisons;
  const columns = [
    // As compare.R, which puts a blank after the benchmark even if there is no configuration.
    names('', ({ benchmark, text }) => `${benchmark} ${text}`),
    several && names('subject', ({ subject }) => subject),
    ...view.columns,
    // The letters of each subject, and those of the baseline in parentheses.
    several && words('tie', (comparison) => tieCell(comparison, list)),
    ...extra,
  ];
  return `${textTable({ rows, columns }, { gap: view.gap, paint })}${view.footer}`;
}
