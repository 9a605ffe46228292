import {
  comparisonJson,
  detailColumn,
  renderComparison,
  type TextView,
  warningGroups,
} from '@bench-cli/report';
import { UsageError } from '@bench-cli/results';
import type { JudgedResults, Verdict } from '@bench-cli/stats';
import type { AnalysisFormat, CompareFormat, ComparisonFormat } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { shortList } from './recording-text.ts';

/** How comparisons are shown. */
export interface ComparisonView extends Pick<TextView, 'columns' | 'correct' | 'groupBy'> {
  readonly format: ComparisonFormat;
}

/** @throws UsageError for columns or groups in a format without a table */
export function checkView(
  format: CompareFormat | AnalysisFormat,
  { columns, groupBy = [] }: Pick<ComparisonView, 'columns' | 'groupBy'>,
): void {
  if (format === 'table' || (groupBy.length === 0 && columns === undefined)) return;
  throw new UsageError(
    'ERR_BENCH_OPTION_CONFLICT',
    `--columns and --group-by require --format table: remove them${format === 'json' ? '; --format json has all figures' : `, or --format ${format}`}`,
    { option: columns === undefined ? 'groupBy' : 'columns' },
  );
}

/** The format of a terminal shows both rates; only compare.R's table has further columns and groups. */
export function formatFor(
  { resultIsTerminal }: Terminal,
  { columns, groupBy = [] }: Pick<ComparisonView, 'columns' | 'groupBy'>,
): ComparisonFormat {
  return resultIsTerminal && groupBy.length === 0 && columns === undefined ? 'rates' : 'table';
}

/** Shows comparisons, and warnings about them. */
export function showComparisons(judged: JudgedResults, view: ComparisonView, terminal: Terminal): void {
  const { list } = judged;
  const { format, groupBy = [], columns = [], ...text } = view;
  showWarnings(judged, terminal);
  if (format === 'json') {
    terminal.result(comparisonJson(judged));
    return;
  }
  const hasColumns = format === 'table' && groupBy.length === 0;
  for (const column of hasColumns ? columns : []) {
    if (detailColumn(column, list) === null)
      terminal.notice(`warning: --columns ${column} is not available for adaptive runs`);
  }
  const { resultWidth: width } = terminal;
  const paint: TextView['paint'] = (cell, { verdict }, { isName }) => {
    const colour = isName ? undefined : colours[verdict];
    return colour === undefined ? cell : terminal.paint(colour, cell, 'stdout');
  };
  terminal.result(renderComparison(judged, { ...text, format, groupBy, columns, width, paint }));
}

/** Warnings about samples that methods may not fit are only in the JSON and on the page: computing them takes as long as the comparisons. */
export function showWarnings(judged: JudgedResults, terminal: Terminal): void {
  for (const { message, names } of warningGroups(judged, false))
    terminal.notice(`warning: ${message} (${shortList(names)})`);
}

const colours = {
  higher: 'green',
  lower: 'red',
  same: undefined,
  undecided: 'dim',
} as const satisfies Record<Verdict, string | undefined>;
