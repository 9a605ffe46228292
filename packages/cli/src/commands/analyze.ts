import type { DetailColumn } from '@bench-cli/report';
import type { ComparisonOrder } from '@bench-cli/stats';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { BarAnalysis, CompareAnalysis, ScatterAnalysis } from '../analysis.ts';
import { examples, repeatable } from '../options.ts';
import { comparisonFormats } from '../output/formats.ts';
import { processTerminal } from '../terminal.ts';

/** Written out, so that help does not load the statistics; the types hold them to those of the statistics. */
const columnNames = [
  'runs',
  'ratio',
  'chart',
  'effect',
  'rank',
  'adjusted',
] as const satisfies readonly DetailColumn[];
const orders = ['name', 'effect', 'p'] as const satisfies readonly ComparisonOrder[];

/** `bench-cli analyze`: what Node core's R scripts do, and more. */
export function addAnalyzeCommand(program: Command): void {
  const analyze = program
    .command('analyze')
    .summary('statistics and plots of results that were written before')
    .description(
      'Statistics of results: of a file that --out wrote, or of CSV from bench-cli or from Node core.',
    );
  addCompare(analyze);
  addBar(analyze);
  addScatter(analyze);
  analyze
    .command('schema')
    .summary('the JSON Schema of analyze compare --format json')
    .description('Prints the JSON Schema of what analyze compare --format json prints.')
    .addHelpText(
      'after',
      examples([['analyze schema > comparison.schema.json', 'to validate or to make types']]),
    )
    .action(async () => {
      const { comparisonJsonSchema } = await import('@bench-cli/report/schema');
      processTerminal().result(comparisonJsonSchema());
    });
}

function addCompare(analyze: Command): void {
  withFile(analyze.command('compare'))
    .summary('which subject is faster: the table of compare.R, and more on request')
    .description(
      "Compares old and new by Welch's t-test and prints the table of compare.R. On request: intervals of the " +
        'ratio, a rank test, a correction for many comparisons, warnings about the samples, a box plot, and an exit ' +
        'code for CI.',
    )
    .addOption(
      new Option('--format <format>', 'how the comparison is printed (default: table)').choices(
        comparisonFormats,
      ),
    )
    .option(
      '--columns <list>',
      `more columns, separated by commas: runs (how many), ratio (new/old, 95 % interval by Fieller), chart (the ` +
        `interval drawn), effect (Hedges' g), rank (Mann-Whitney's p), adjusted (Benjamini-Hochberg's p), or all`,
      readColumns,
    )
    .option(
      '--correct',
      'correct for the number of comparisons (Benjamini-Hochberg), in a column and for --fail-on, and tell how many findings survive',
    )
    .option('--check', 'warn about few runs, outliers, two modes and trends, naming the configurations')
    .addOption(whereOption())
    .option(
      '--group-by <list>',
      'one line for each value of these parameters, separated by commas ("benchmark" for the file)',
      readNames,
    )
    .addOption(sortOption())
    .addOption(
      repeatable(
        '--fail-on <threshold>',
        'exit with 1 if a whole 95 % interval lies beyond it: slower>=5%, slower, faster>10% (can be repeated)',
      ),
    )
    .addOption(plotOption('a box plot'))
    .addHelpText(
      'after',
      examples([
        ['analyze compare compare-pr.csv', "a CSV of compare, or of Node core's compare.js"],
        [
          'analyze compare --format markdown results.jsonl',
          'for a pull request: losses first, the rest folded',
        ],
        ['analyze compare --columns ratio,chart --sort effect compare-pr.csv', 'the largest losses first'],
        ["analyze compare --where encoding=ascii --where 'chunkLen>=64' compare-pr.csv", 'a part of it'],
        ['analyze compare --group-by encoding compare-pr.csv', 'a line for each encoding'],
        ["analyze compare --check --correct --fail-on 'slower>=5%' results.jsonl", 'a gate for CI'],
        ['analyze compare --plot compare-pr.svg compare-pr.csv', 'a box plot beside the table'],
      ]),
    )
    .action(async (file: string | undefined, options: CompareAnalysis) => {
      const { analyzeCompare } = await import('../analysis.ts');
      process.exitCode = await analyzeCompare(file, options, processTerminal());
    });
}

function addBar(analyze: Command): void {
  withFile(analyze.command('bar'))
    .summary('mean rates as bars: bar.R')
    .description(
      'Shows the mean rate of each configuration under both subjects as bars, with 95 % intervals: in the terminal, ' +
        'or with --plot as a picture.',
    )
    .addOption(whereOption())
    .addOption(sortOption())
    .addOption(plotOption('the bars'))
    .addHelpText(
      'after',
      examples([
        ['analyze bar compare-pr.csv', 'in the terminal'],
        ['analyze bar --plot bars.png --where encoding=ascii compare-pr.csv', 'as a picture'],
      ]),
    )
    .action(async (file: string | undefined, options: BarAnalysis) => {
      const { analyzeBar } = await import('../analysis.ts');
      await analyzeBar(file, options, processTerminal());
    });
}

function addScatter(analyze: Command): void {
  withFile(analyze.command('scatter'))
    .summary('how the rate depends on a parameter: the table of scatter.R')
    .description('Prints the mean rate and its 95 % confidence interval for each value of two parameters.')
    .requiredOption('--xaxis <parameter>', 'the parameter that varies along the axis')
    .requiredOption('--category <parameter>', 'the parameter that tells the lines apart')
    .addOption(whereOption())
    .option(
      '--fit',
      'fit how the time of an operation grows: constant, log n, n, n log n or n^2, with the probability of each',
    )
    .addOption(plotOption('lines with error bars'))
    .option('--log', 'use a logarithmic axis of base 2 in the plot')
    .addHelpText(
      'after',
      examples([
        [
          'analyze scatter --xaxis chunkLen --category encoding scatter.csv',
          "a CSV of scatter, or of Node core's scatter.js",
        ],
        [
          'analyze scatter --xaxis chunkLen --category encoding --where inLen=32 --fit scatter.csv',
          'not averaged over inLen, and with the complexity',
        ],
        [
          'analyze scatter --xaxis chunkLen --category encoding --plot scatter.png --log scatter.csv',
          'as a picture',
        ],
      ]),
    )
    .action(async (file: string | undefined, options: ScatterAnalysis) => {
      const { analyzeScatter } = await import('../analysis.ts');
      await analyzeScatter(file, options, processTerminal());
    });
}

function withFile(command: Command): Command {
  return command.argument('[file]', 'CSV or results file (.jsonl); - or nothing for CSV on standard input');
}

function whereOption(): Option {
  return repeatable(
    '--where <condition>',
    'only configurations with encoding=ascii, len!=0, len>=1024, benchmark=url/parse.ts ... (can be repeated)',
  );
}

function sortOption(): Option {
  return new Option(
    '--sort <order>',
    'name, effect (the largest loss first) or p (the surest first) (default: name)',
  ).choices(orders);
}

function plotOption(what: string): Option {
  return new Option('--plot <file>', `write ${what} to this file, SVG or PNG by its ending`);
}

function readColumns(text: string): readonly DetailColumn[] {
  if (text === 'all') return columnNames;
  return readNames(text).map((name) => {
    const column = columnNames.find((it) => it === name);
    if (column === undefined) {
      throw new InvalidArgumentError(`"${name}" is none; choose from ${columnNames.join(', ')}, or all.`);
    }
    return column;
  });
}

function readNames(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It takes names separated by commas.');
  return names;
}
