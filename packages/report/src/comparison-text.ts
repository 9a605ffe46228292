import { UsageError, wrapped } from '@bench-cli/results';
import type { Comparison, JudgedResults } from '@bench-cli/stats';
import { caseLists, renderCaseLists } from './case-lists.ts';
import { hasSeveral } from './comparison-name.ts';
import { methodLines, noiseLines, shortMethodLines } from './method-text.ts';
import { originText } from './session-facts.ts';
import { summaryLines } from './summary.ts';
import { folded, renderCompareMarkdown } from './table/compare-markdown.ts';
import { starLines } from './table/compare-r.ts';
import { renderCompareTable, renderGroupTable } from './table/compare-table.ts';
import { metricLines, renderMetricComparison } from './table/metric-table.ts';
import { renderRatesTable, subjectLegend } from './table/rates-table.ts';
import { prose, type TextOptions } from './table/table.ts';

export interface TextView extends Pick<TextOptions<Comparison>, 'paint'> {
  /** compare.R's table, the terminal's table with both rates, or GitHub's Markdown. */
  readonly format: 'table' | 'rates' | 'markdown';
  /** Columns of the terminal; default: unlimited. */
  readonly width?: number;
  /** Parameters by which to summarize; default: none. */
  readonly groupBy?: readonly string[] | undefined;
}

const formats: readonly string[] = ['table', 'rates', 'markdown'] satisfies TextView['format'][];

/** Renders a comparison with a line end. @throws UsageError for another format, such as from JavaScript */
export function renderComparison(judged: JudgedResults, view: TextView): string {
  const { list, metrics } = judged;
  const { format, groupBy = [], width = Number.POSITIVE_INFINITY, paint } = view;
  if (!formats.includes(format)) {
    const problem = `format: "${format}" is invalid: expected ${formats.join(', ')}`;
    throw new UsageError('ERR_BENCH_OPTION', problem);
  }
  const sentences = summaryLines(judged);
  const notesOf = (hasLetters: boolean) => methodLines(list, { grouped: groupBy.length > 0, hasLetters });
  const room = format === 'rates' ? width : Number.POSITIVE_INFINITY;
  const metricTables = metrics.map((each) => `\n${renderMetricComparison(each, room)}`).join('');
  if (format === 'markdown') {
    const paragraphs = (texts: readonly string[]) => texts.map((text) => `${prose(text)}\n`).join('\n');
    const metricText = metrics.length === 0 ? '' : `\n\`\`\`text${metricTables}\`\`\`\n`;
    const origin = originText(judged.recordings);
    const methods = [...notesOf(groupBy.length === 0 && hasSeveral(list)), ...metricLines(metrics)];
    const notes = methods.length === 0 ? '' : folded('Method', paragraphs(methods));
    return `${paragraphs([...sentences, ...noiseLines(list)])}\n${renderCompareMarkdown(judged)}${metricText}\n${notes}${origin === '' ? '' : `\n${prose(origin)}\n`}`;
  }
  const lines = (texts: readonly string[]) => texts.map((text) => `${wrapped(text, room)}\n`).join('');
  const tableOf = () => {
    if (groupBy.length > 0) return [renderGroupTable(list, groupBy), notesOf(false)] as const;
    if (format === 'rates') {
      const legend = subjectLegend(list, judged.names);
      const below = legend === '' ? '' : lines([legend]);
      return [`${renderRatesTable(list, width, paint)}${below}`, shortMethodLines(list)] as const;
    }
    const stars = list.kind === 'fixed' ? starLines(list.comparisons) : [];
    return [renderCompareTable(list, { width, paint }), [...stars, ...notesOf(hasSeveral(list))]] as const;
  };
  const [text, notes] = tableOf();
  const unjudged = renderCaseLists(caseLists(judged));
  const metricText = metrics.length === 0 ? '' : `${metricTables}\n${lines(metricLines(metrics))}`;
  return `${text}\n${unjudged}${lines([...sentences, ...notes])}${metricText}`;
}
