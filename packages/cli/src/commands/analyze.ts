import { type Command, Option } from 'commander';
import { examples } from '../options.ts';
import type { ComparisonFormat } from '../output/compare-output.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli analyze`: what Node core's R scripts do. */
export function addAnalyzeCommand(program: Command): void {
  const analyze = program
    .command('analyze')
    .summary('statistics of results that were written before')
    .description(
      'Statistics of results: of a file that --out wrote, or of CSV from bench-cli or from Node core.',
    );
  analyze
    .command('compare')
    .summary('the table of compare.R')
    .description("Compares old and new by Welch's t-test and prints the table of compare.R.")
    .argument('[file]', 'CSV or results file; - or nothing for standard input')
    .addOption(
      new Option('--format <format>', 'how the comparison is printed (default: table)').choices([
        'table',
        'json',
        'markdown',
      ]),
    )
    .addHelpText(
      'after',
      examples([
        ['analyze compare compare-pr.csv', "a CSV of compare, or of Node core's compare.js"],
        [
          'analyze compare --format markdown results.jsonl',
          'what compare --out recorded, for a pull request',
        ],
      ]),
    )
    .action(async (file: string | undefined, options: { readonly format?: ComparisonFormat }) => {
      const { analyzeCompare } = await import('../analysis.ts');
      await analyzeCompare(file, options.format ?? 'table', processTerminal());
    });
  analyze
    .command('scatter')
    .summary('the table of scatter.R')
    .description('Prints the mean rate and its 95 % confidence interval for each value of two parameters.')
    .argument('[file]', 'CSV or results file; - or nothing for standard input')
    .requiredOption('--xaxis <parameter>', 'the parameter that varies along the axis')
    .requiredOption('--category <parameter>', 'the parameter that tells the lines apart')
    .addHelpText(
      'after',
      examples([
        [
          'analyze scatter --xaxis chunkLen --category encoding scatter.csv',
          "a CSV of scatter, or of Node core's scatter.js",
        ],
      ]),
    )
    .action(
      async (file: string | undefined, options: { readonly xaxis: string; readonly category: string }) => {
        const { analyzeScatter } = await import('../analysis.ts');
        await analyzeScatter(file, options, processTerminal());
      },
    );
}
