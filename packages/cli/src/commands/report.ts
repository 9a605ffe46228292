import type { Command } from 'commander';
import type { ReportOptions } from '../analysis/report.ts';
import { examples, whereOption } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli report`: a comparison as one page. */
export function addReportCommand(program: Command): void {
  program
    .command('report')
    .summary('write a comparison as one HTML page')
    .description(
      'Writes one HTML page that needs no network: verdicts, a table that sorts and filters, pictures of the runs of ' +
        'each configuration, the machine, the warnings, and the commands to measure again.',
    )
    .argument('[file]', 'results file (.jsonl) or CSV of compare; CSV on standard input if omitted or -')
    .option('-o, --output <file>', 'the file to write (default: report.html)')
    .option('--title <text>', 'the heading (default: the names of the subjects)')
    .option(
      '--profiles <dir>',
      'the directory that explain wrote, for flame graphs (default: the file with the extension .profiles, if it exists)',
    )
    .addOption(whereOption())
    .addHelpText(
      'after',
      examples([
        ['report results.jsonl -o report.html', 'a results file, with the machine and the commands'],
        ['report compare-pr.csv -o report.html --title "Faster decoding"', 'a CSV'],
        ['report results.jsonl --where encoding=ascii -o ascii.html', 'some of the configurations'],
      ]),
    )
    .action(async (file: string | undefined, options: ReportOptions) => {
      const { writeReport } = await import('../analysis/report.ts');
      await writeReport(file, options, processTerminal());
    });
}
