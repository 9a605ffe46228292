import { counted, UsageError } from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import { checkDistinct, inputName, textOf } from './input-file.ts';
import { calledCommand, shortList } from './recording-text.ts';

/**
 * Reads the reports of another tool, each of one process. Its samples are not independent, so a report has one rate of each benchmark.
 * @throws UsageError for a missing or damaged report, one that is given twice, and reports of several tools
 */
export async function readReports(given: readonly string[], terminal: Terminal) {
  checkDistinct(given.map((path) => ({ name: path, path })));
  const { readToolReport } = await import('@bench-cli/results/recording');
  const reports = [];
  for (const file of given.length === 0 ? ['-'] : given) {
    const report = readToolReport(await textOf(file), inputName(file));
    reports.push(report);
    const { unrated } = report;
    if (unrated.length === 0) continue;
    const benchmarks = counted(unrated.length, 'benchmark');
    terminal.notice(`warning: ${inputName(file)}: ${benchmarks} without a rate: ${shortList(unrated)}`);
  }
  const [tool = '', other] = new Set(reports.map((report) => report.tool));
  if (other !== undefined) {
    throw new UsageError(
      'ERR_BENCH_TOOL_REPORT',
      `the files are reports of ${tool} and ${other}: give those of one tool`,
    );
  }
  terminal.notice(
    `warning: ${counted(reports.length, 'report')} of ${tool}: the samples of a file share one process, its memory layout and compiled code, and earlier benchmarks affect later ones, so each report counts as one run; compare versions with bench-cli compare`,
  );
  return {
    samples: reports.flatMap(({ samples }) => samples),
    recordings: [],
    files: reports.flatMap(({ files }) => files),
    single: `One process of ${tool}, so it is unknown how much another one would differ, and nothing is called faster: give the reports of several processes, or measure with ${calledCommand(['run', '--runs', '10', { placeholder: 'FILE' }])}.`,
  };
}
