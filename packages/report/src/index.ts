/**
 * What people look at: tables, sentences, Markdown and JSON of comparisons. Each is a pure function of judgements, and shows
 * the figures of their method and no others. Plots are in `@bench-cli/report/plot`, the HTML page in
 * `@bench-cli/report/page`, which load more.
 *
 * It does not read results (`@bench-cli/results`) or compute statistics (`@bench-cli/stats`), and it writes no files.
 *
 * @packageDocumentation
 */
export { comparisonDocument } from './json/comparison-document.ts';
export { rateText } from './rate-text.ts';
export { summarize } from './summary.ts';
export { renderBarTable } from './table/bar-table.ts';
export { renderCompareMarkdown } from './table/compare-markdown.ts';
export { type PaintCompareCell, renderCompareTable } from './table/compare-table.ts';
export { renderComplexityTable } from './table/complexity-table.ts';
export { type DetailColumn, detailColumn, detailColumns, methodLines } from './table/detail-column.ts';
export { renderGroupTable } from './table/group-table.ts';
export { percent, ratioChange } from './table/percent.ts';
export { renderScatterTable } from './table/scatter-table.ts';
export { renderTextTable, type TextColumn } from './table/text-table.ts';
export { warningGroups } from './warning-groups.ts';
