/**
 * The report of a comparison as one self-contained HTML page, for example to attach to a pull request: the verdicts, a picture and
 * a table that you can search, sort and group, the samples of each case as pictures, and how they were measured.
 *
 * It does not read results (`@bench-cli/results`) or compute statistics (`@bench-cli/stats`). The script of the page is in
 * `browser/`. It draws its own pictures, because a plotting library would add half a megabyte to each report.
 *
 * @packageDocumentation
 */
export { type Fact, type ReportContent, renderReport } from './page.ts';
