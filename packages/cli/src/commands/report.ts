import type { Command } from 'commander';
import { examples, repeatable } from '../options.ts';
import type { ReportOptions } from '../output/report-file.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli report`: everything about a comparison on one page. */
export function addReportCommand(program: Command): void {
  program
    .command('report')
    .summary('write a comparison as one HTML page')
    .description(
      'Writes one HTML page that needs no network: verdicts, a table that sorts and filters, the runs of each ' +
        'configuration as pictures, the machine, the warnings, and the commands to measure again.',
    )
    .argument('[file]', 'results file (.jsonl) or CSV of compare; - or nothing for CSV on standard input')
    .option('-o, --output <file>', 'where to write the page (default: report.html)')
    .option('--title <text>', 'the heading (default: the names of the subjects)')
    .addOption(
      repeatable(
        '--where <condition>',
        'only configurations with encoding=ascii, len>=1024 ... (can be repeated)',
      ),
    )
    .addHelpText(
      'after',
      examples([
        [
          'report results.jsonl -o report.html',
          'of what compare --out recorded, with the machine and the commands',
        ],
        ['report compare-pr.csv -o report.html --title "Faster decoding"', 'of a CSV'],
        ['report results.jsonl --where encoding=ascii -o ascii.html', 'of a part of it'],
      ]),
    )
    .action(async (file: string | undefined, options: ReportOptions) => {
      const { writeReport } = await import('../output/report-file.ts');
      await writeReport(file, options, processTerminal());
    });
}
