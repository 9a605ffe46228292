import {
  comparisonDocument,
  correctionNames,
  type DetailColumn,
  detailColumn,
  methodLines,
  metricLines,
  type PaintCompareCell,
  renderCompareMarkdown,
  renderCompareTable,
  renderGroupTable,
  renderMetricComparison,
  renderNewCases,
  renderRatesTable,
  startUpLines,
  summaryLines,
  warningGroups,
  wrapped,
} from '@bench-cli/report';
import { UsageError } from '@bench-cli/results';
import type { Recording } from '@bench-cli/results/recording';
import {
  type ComparisonList,
  type ComparisonOrder,
  compareMetrics,
  sortComparisons,
  type Verdict,
} from '@bench-cli/stats';
import type { CompareFormat, ComparisonFormat } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import type { ComparedResults } from './compared-results.ts';
import { failedBenchmarks, failedRuns } from './failures.ts';
import { shortList } from './recording-text.ts';

/** How comparisons are shown, and what is shown in addition to compare.R's table. */
export interface ComparisonView {
  readonly format: ComparisonFormat;
  /** Additional columns; default: none. */
  readonly columns?: readonly DetailColumn[];
  /** Show the p-values and the number of differences after the correction of the list; default: no. */
  readonly correct?: boolean;
  /** Warn about samples that do not fit the method; default: no. */
  readonly check?: boolean;
  /** Parameters by whose values to summarize; default: none. */
  readonly groupBy?: readonly string[];
}

/** @throws UsageError for columns or groups in a format without a table */
export function checkView(
  format: CompareFormat,
  { columns, groupBy = [] }: Pick<ComparisonView, 'columns' | 'groupBy'>,
): void {
  if (format === 'table' || (groupBy.length === 0 && columns === undefined)) return;
  throw new UsageError(
    'ERR_BENCH_OPTION_CONFLICT',
    `--columns and --group-by require --format table: remove them${format === 'json' ? '; --format json has all figures' : `, or --format ${format}`}`,
  );
}

/** The format of a terminal shows both rates; only compare.R's table has further columns and groups. */
export function formatFor(
  { resultIsTerminal }: Terminal,
  groupBy: readonly string[],
  { columns }: Pick<ComparisonView, 'columns'>,
): ComparisonFormat {
  return resultIsTerminal && groupBy.length === 0 && columns === undefined ? 'rates' : 'table';
}

/** A list in the order of its table and its plot. */
export function sortedList(list: ComparisonList, order: ComparisonOrder): ComparisonList {
  return list.kind === 'fixed'
    ? { ...list, comparisons: sortComparisons(list.comparisons, order) }
    : { ...list, comparisons: sortComparisons(list.comparisons, order) };
}

/** What is shown beside the judgements. */
type ShownResults = Pick<ComparedResults, 'names' | 'newCases' | 'metrics'> & {
  /** The sessions, if they are recorded; what failed in them is part of a Markdown text. */
  readonly recordings?: readonly Recording[];
};

/** Shows comparisons, and warnings about them. */
export function showComparisons(
  list: ComparisonList,
  results: ShownResults,
  view: ComparisonView,
  terminal: Terminal,
): void {
  const { check = false } = view;
  for (const { message, names } of warningGroups(list, { assumptions: check }))
    terminal.notice(`warning: ${message} (${shortList(names)})`);
  terminal.result(textOf(list, results, view, terminal));
}

function textOf(
  list: ComparisonList,
  { names, newCases, metrics, recordings = [] }: ShownResults,
  view: ComparisonView,
  terminal: Terminal,
): string {
  const { format, groupBy = [] } = view;
  const grouped = groupBy.length > 0;
  const sentences = [...summaryLines(list, names), ...startUpLines(list)];
  const notes = [correctionText(list, view), ...methodLines(list, { grouped })].filter((line) => line !== '');
  const metricLists = compareMetrics(metrics, list.correction);
  const metricTables = () => metricLists.map((each) => `\n${renderMetricComparison(each)}`).join('');
  const hasMetrics = metricLists.length > 0;
  switch (format) {
    case 'json':
      return `${JSON.stringify(comparisonDocument(list, names, newCases, metricLists), undefined, 2)}\n`;
    case 'markdown': {
      const failures = { runs: failedRuns(recordings), benchmarks: failedBenchmarks(recordings) };
      const comparisons = renderCompareMarkdown(list, newCases, failures);
      const paragraphs = (texts: readonly string[]) => texts.map((text) => `${text}\n`).join('\n');
      return `${paragraphs(sentences)}\n${comparisons}\n${paragraphs(notes)}${hasMetrics ? `\n\`\`\`text${metricTables()}\`\`\`\n\n${paragraphs(metricLines(metricLists))}` : ''}`;
    }
    case 'rates':
    case 'table': {
      const { resultWidth: width } = terminal;
      const paint = painter(terminal);
      const ungrouped = () =>
        format === 'rates'
          ? renderRatesTable(list, { width, paint })
          : renderCompareTable(list, { extra: columnsOf(list, view, terminal), paint });
      const table = grouped ? renderGroupTable(list, groupBy) : ungrouped();
      const lines = (texts: readonly string[]) =>
        texts.map((text) => `${format === 'rates' ? wrapped(text, width) : text}\n`).join('');
      const unjudged = newCases.length > 0 ? `${renderNewCases(newCases)}\n` : '';
      return `${table}\n${unjudged}${lines([...sentences, ...notes])}${hasMetrics ? `${metricTables()}\n${lines(metricLines(metricLists))}` : ''}`;
    }
  }
}

function columnsOf(list: ComparisonList, { columns = [], correct }: ComparisonView, terminal: Terminal) {
  const wanted = correct && !columns.includes('adjusted') ? [...columns, 'adjusted' as const] : columns;
  return wanted.flatMap((key) => {
    const column = detailColumn(key, list);
    if (column !== null) return [{ key, ...column }];
    terminal.notice(`warning: --columns ${key} is not available for adaptive runs`);
    return [];
  });
}

function painter(terminal: Terminal): PaintCompareCell {
  return (text, { isName, comparison }) => {
    const colour = isName ? undefined : colours[comparison.verdict];
    return colour === undefined ? text : terminal.paint(colour, text, 'stdout');
  };
}

const colours = {
  higher: 'green',
  lower: 'red',
  same: undefined,
  undecided: 'dim',
} as const satisfies Record<Verdict, string | undefined>;

function correctionText(
  { correction, discoveries, errorRate, kind }: ComparisonList,
  { correct }: ComparisonView,
): string {
  // Adaptive verdicts have this correction already.
  if (!correct || (kind === 'sequential' && correction === 'benjamini-hochberg')) return '';
  const { found, survive, tested, corrected } = discoveries;
  const number = corrected > tested ? ` for ${corrected} comparisons` : '';
  return `Of ${tested} tests ${found} found a difference (p < ${errorRate}); ${survive} of them ${survive === 1 ? 'survives' : 'survive'} ${correctionNames[correction]}'s correction${number}.`;
}
