import { comparisonJson, renderComparison, type TextView, warningGroups } from '@bench-cli/report';
import { shortList, UsageError } from '@bench-cli/results';
import type { JudgedResults, Verdict } from '@bench-cli/stats';
import type { AnalysisFormat } from '../options.ts';
import type { Terminal } from '../terminal.ts';

/** @throws UsageError for groups in a format without a table of them */
export function checkGrouping(format: AnalysisFormat, groupBy: readonly string[]): void {
  if (format === 'table' || groupBy.length === 0) return;
  const remedy = format === 'json' ? '; --format json has all figures' : `, or --format ${format}`;
  const problem = `--group-by requires --format table: remove it${remedy}`;
  throw new UsageError('ERR_BENCH_OPTION_CONFLICT', problem, { option: 'groupBy' });
}

/** What users choose of a view. */
export type ChosenView = Omit<TextView, 'format' | 'width' | 'paint'>;

export function showDocument(judged: JudgedResults, terminal: Terminal): void {
  showWarnings(judged, terminal);
  terminal.json(comparisonJson(judged));
}

export function showComparisons(
  judged: JudgedResults,
  view: ChosenView & Pick<TextView, 'format'>,
  terminal: Terminal,
): void {
  showWarnings(judged, terminal);
  const { resultWidth: width } = terminal;
  const paint: TextView['paint'] = (cell, { verdict }, { isName }) => {
    const colour = isName ? undefined : colours[verdict];
    return colour === undefined ? cell : terminal.paint(colour, cell, 'stdout');
  };
  terminal.result(renderComparison(judged, { ...view, width, paint }));
}

/** Warnings about samples are only in the JSON and on the page: they take as long as the comparisons. */
export function showWarnings(judged: JudgedResults, terminal: Terminal): void {
  for (const { message, names } of warningGroups(judged, false))
    terminal.notice(`warning: ${message} (${shortList(names)})`);
}

const colours = {
  failed: 'red',
  higher: 'green',
  lower: 'red',
  same: undefined,
  undecided: 'dim',
} as const satisfies Record<Verdict, string | undefined>;
