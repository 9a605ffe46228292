/**
 * Self-contained HTML pages: the report of a comparison, with verdicts, a picture, a table to search, sort
 * and group, and the samples of each case; the rates of alternatives; and the history of many commits.
 *
 * This module does not read results (`@bench-cli/results`) or compute statistics (`@bench-cli/stats`). The
 * scripts of the pages are in `browser/`.
 * @packageDocumentation
 */
export { renderFunctionsPage } from './functions-page.ts';
export { type HistoryCommit, type HistorySeries, renderHistory } from './history-page.ts';
export { type ReportContent, renderReport } from './page.ts';
export { renderRatesPage } from './rates-page.ts';
