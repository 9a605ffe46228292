/**
 * Self-contained HTML pages: the report of a comparison, for example to attach to a pull request, with the verdicts, a picture and
 * a table that you can search, sort and group, the samples of each case as pictures, and how they were measured; and the history of
 * many commits, with a chart of each case.
 *
 * This package does not read results (`@bench-cli/results`) or compute statistics (`@bench-cli/stats`). The scripts of the pages are in
 * `browser/`.
 *
 * @packageDocumentation
 */
export { type HistorySeries, renderHistory } from './history-page.ts';
export { type ReportContent, renderReport } from './page.ts';
export { renderRatesPage } from './rates-page.ts';
