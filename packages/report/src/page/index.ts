/**
 * One self-contained HTML page about the comparison of two subjects, to attach to a pull request: the verdicts, a
 * table that sorts and filters, for each configuration its samples as pictures, and how it was measured.
 *
 * It is not for reading results or computing statistics (`@bench-cli/core`, `@bench-cli/stats`). What runs in the
 * browser is in `page/`, plain modules without dependencies, which draw their own pictures: a plotting library would
 * be half a megabyte in every report.
 *
 * @packageDocumentation
 */
export { type Fact, type ReportContent, renderReport } from './page.ts';
