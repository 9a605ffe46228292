import type { Comparison, ComparisonList, JudgedResults } from '@bench-cli/stats';
import { hasSeveral } from './comparison-name.ts';
import { controlLines, correctionNames, methodLines, noiseLines } from './method-text.ts';
import { renderNewCases } from './new-cases.ts';
import { summaryLines } from './summary.ts';
import { wrapped } from './table/cell.ts';
import { renderCompareMarkdown } from './table/compare-markdown.ts';
import { renderCompareTable } from './table/compare-table.ts';
import { type DetailColumn, detailColumn } from './table/detail-column.ts';
import { renderGroupTable } from './table/group-table.ts';
import { metricLines, renderMetricComparison } from './table/metric-table.ts';
import { renderRatesTable, showsTies } from './table/rates-table.ts';
import { prose, type TextOptions } from './table/table.ts';

/** How a comparison is shown as text, and what follows compare.R's table. */
export interface TextView extends Pick<TextOptions<Comparison>, 'paint'> {
  /** The table of compare.R with `columns`, that of a terminal with both rates, or GitHub's Markdown. */
  readonly format: 'table' | 'rates' | 'markdown';
  /** Columns of the terminal; default: unlimited. */
  readonly width?: number;
  /** Additional columns; default: none. */
  readonly columns?: readonly DetailColumn[] | undefined;
  /** Whether p-values and the number of differences after the correction are shown; default: no. */
  readonly correct?: boolean | undefined;
  /** Parameters by whose values to summarize; default: none. */
  readonly groupBy?: readonly string[] | undefined;
}

/** A comparison in words and tables, with a line end. */
export function renderComparison(judged: JudgedResults, view: TextView): string {
  const { list, names, metrics, newCases } = judged;
  const { format, groupBy = [], width = Number.POSITIVE_INFINITY, paint } = view;
  const grouped = groupBy.length > 0;
  const correction = view.correct ? [correctionText(list)] : [];
  const sentences = summaryLines(list, names);
  const hasLetters = !grouped && (format === 'rates' ? showsTies(list, width) : hasSeveral(list));
  const notes = [...correction, ...methodLines(list, { grouped, hasLetters })].filter((line) => line !== '');
  const metricWidth = format === 'rates' ? width : Number.POSITIVE_INFINITY;
  const metricTables = metrics.map((each) => `\n${renderMetricComparison(each, metricWidth)}`).join('');
  if (format === 'markdown') {
    const paragraphs = (texts: readonly string[]) => texts.map((text) => `${prose(text)}\n`).join('\n');
    const ofMetrics =
      metrics.length === 0 ? '' : `\n\`\`\`text${metricTables}\`\`\`\n\n${paragraphs(metricLines(metrics))}`;
    return `${paragraphs([...sentences, ...noiseLines(list)])}\n${renderCompareMarkdown(judged)}\n${paragraphs(notes)}${ofMetrics}`;
  }
  const lines = (texts: readonly string[]) =>
    texts.map((text) => `${format === 'rates' ? wrapped(text, width) : text}\n`).join('');
  const { columns = [], correct } = view;
  const wanted = correct && !columns.includes('adjusted') ? [...columns, 'adjusted' as const] : columns;
  const details = wanted.flatMap((key) => detailColumn(key, list) ?? []);
  const table = grouped
    ? renderGroupTable(list, groupBy)
    : format === 'rates'
      ? renderRatesTable(list, width, paint)
      : renderCompareTable(list, details, paint);
  const unjudged = newCases.length > 0 ? `${renderNewCases(newCases)}\n` : '';
  const ofMetrics = metrics.length === 0 ? '' : `${metricTables}\n${lines(metricLines(metrics))}`;
  return `${table}\n${unjudged}${lines([...sentences, ...controlLines(list), ...notes])}${ofMetrics}`;
}

function correctionText({ correction, discoveries, errorRate, kind }: ComparisonList): string {
  // Adaptive verdicts have this correction already.
  if (kind === 'sequential' && correction === 'benjamini-hochberg') return '';
  const { found, survive, tested, corrected } = discoveries;
  const number = corrected > tested ? ` for ${corrected} comparisons` : '';
  return `Of ${tested} tests ${found} found a difference (p < ${errorRate}); ${survive} of them ${survive === 1 ? 'survives' : 'survive'} ${correctionNames[correction]}'s correction${number}.`;
}
