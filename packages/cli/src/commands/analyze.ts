import type { ScatterColumn } from '@bench-cli/report';
import type { ComparisonOrder } from '@bench-cli/stats';
import { type Command, Option } from 'commander';
import type { BarAnalysis, CompareAnalysis, ScatterAnalysis } from '../analysis/analyze.ts';
import {
  addComparison,
  type ComparisonOptions,
  columnReader,
  comparisonFormats,
  examples,
  readCorrection,
  readNames,
  repeatable,
  whereOption,
} from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** Repeated here so that the help does not load the statistics; the types keep them equal. */
const scatterColumnNames = ['runs', 'median', 'chart'] as const satisfies readonly ScatterColumn[];
const orders = ['name', 'effect', 'p'] as const satisfies readonly ComparisonOrder[];

/** `bench-cli analyze`: Node core's compare.R, bar.R and scatter.R, and more. */
export function addAnalyzeCommand(program: Command): void {
  const analyze = program
    .command('analyze')
    .summary('compute statistics and draw plots of recorded results')
    .description(
      'Computes statistics of results files that --out wrote, and of CSV from bench-cli or Node core.',
    );
  addCompare(analyze);
  addBar(analyze);
  addScatter(analyze);
  analyze
    .command('schema')
    .summary('print the JSON Schema of analyze compare --format json')
    .description('Prints the JSON Schema of the output of analyze compare --format json.')
    .addHelpText(
      'after',
      examples([['analyze schema > comparison.schema.json', 'to validate, or to generate types']]),
    )
    .action(async () => {
      const { comparisonJsonSchema } = await import('@bench-cli/report/schema');
      processTerminal().result(comparisonJsonSchema());
    });
}

function addCompare(analyze: Command): void {
  const command = addComparison(
    analyze
      .command('compare')
      .argument(
        '[file...]',
        'results files (.jsonl) or CSV, several if each is of another machine; CSV on standard input if omitted or -',
      ),
  );
  command
    .summary('say which subject is faster, with the table of compare.R')
    .description(
      "Compares old and new by Welch's t-test and prints the table of compare.R. Optional: intervals of the ratio, a " +
        'rank test, a correction for many comparisons, warnings about the samples, a box plot, and an exit code for ' +
        'CI. Results of --runs auto and of several machines are judged by their own methods.',
    )
    .addOption(
      new Option(
        '--format <format>',
        'output format; rates: both rates and their ratio, as wide as the terminal (default: rates on a terminal, else table, that of compare.R)',
      ).choices(comparisonFormats),
    )
    .addOption(
      repeatable(
        '--machine <name=file>',
        'the results of one of several machines, which are compared within each machine (can be repeated)',
      ),
    )
    .option('--check', 'warn about configurations with few runs, outliers, two modes or trends')
    .addOption(whereOption())
    .option(
      '--group-by <list>',
      'one line per value of these parameters, separated by commas ("benchmark" for the file)',
      readNames,
    )
    .addOption(sortOption())
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
        [
          "analyze compare --where encoding=ascii --where 'chunkLen>=64' compare-pr.csv",
          'some of the configurations',
        ],
        ['analyze compare --group-by encoding compare-pr.csv', 'one line per encoding'],
        ["analyze compare --check --fail-on 'slower>=5%' results.jsonl", 'a gate for CI'],
        [
          'analyze compare --machine linux=compare-pr.csv --machine mac=results.jsonl',
          'the results of two machines, compared within each',
        ],
        ['analyze compare --plot compare-pr.svg compare-pr.csv', 'a box plot in addition to the table'],
      ]),
    )
    .action(
      async (words: readonly string[], options: Omit<CompareAnalysis, 'correct'> & ComparisonOptions) => {
        const { correct, operands } = readCorrection(options.correct, words);
        const { analyzeCompare } = await import('../analysis/analyze.ts');
        process.exitCode = await analyzeCompare(operands, { ...options, correct }, processTerminal());
      },
    );
}

function addBar(analyze: Command): void {
  withFile(analyze.command('bar'))
    .summary('show mean rates as bars, like bar.R')
    .description(
      'Shows the mean rate of each configuration under both subjects as bars with 95 % intervals: in the terminal, ' +
        'or as a picture with --plot.',
    )
    .addOption(whereOption())
    .addOption(sortOption())
    .addOption(plotOption('the bars'))
    .addHelpText(
      'after',
      examples([
        ['analyze bar compare-pr.csv', 'bars in the terminal'],
        ['analyze bar --plot bars.png --where encoding=ascii compare-pr.csv', 'a picture'],
      ]),
    )
    .action(async (file: string | undefined, options: BarAnalysis) => {
      const { analyzeBar } = await import('../analysis/analyze.ts');
      await analyzeBar(file, options, processTerminal());
    });
}

function addScatter(analyze: Command): void {
  withFile(analyze.command('scatter'))
    .summary('show how the rate depends on a parameter, with the table of scatter.R')
    .description(
      'Prints the mean rate and its 95 % confidence interval for each value of one or two parameters, and how much of the ' +
        'variance the other parameters explain.',
    )
    .requiredOption('--xaxis <parameter>', 'the parameter of the horizontal axis')
    .option('--category <parameter>', 'the parameter with one line per value')
    .option(
      '--columns <list>',
      'more columns, separated by commas: runs (their number), median (with its interval, and a mark where it describes a ' +
        'typical run better than the mean), chart (the rates as bars), or all',
      columnReader(scatterColumnNames),
    )
    .option(
      '--steps',
      'compare each value of the horizontal axis with the one before: change, exponent, rank test, effect size',
    )
    .addOption(whereOption())
    .option(
      '--fit',
      'fit how the time per operation grows: constant, log n, n, n log n or n^2, with the probability of each',
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
          'for one value of inLen, with the complexity',
        ],
        [
          'analyze scatter --xaxis chunkLen --category encoding --columns all --steps scatter.csv',
          'medians, a chart, and the change from each chunkLen to the next',
        ],
        [
          'analyze scatter --xaxis chunkLen --category encoding --plot scatter.png --log scatter.csv',
          'a picture',
        ],
      ]),
    )
    .action(async (file: string | undefined, options: ScatterAnalysis) => {
      const { analyzeScatter } = await import('../analysis/analyze.ts');
      await analyzeScatter(file, options, processTerminal());
    });
}

function withFile(command: Command): Command {
  return command.argument('[file]', 'results file (.jsonl) or CSV; CSV on standard input if omitted or -');
}

function sortOption(): Option {
  return new Option(
    '--sort <order>',
    'by name, effect (the largest loss first) or p (the smallest first) (default: name)',
  ).choices(orders);
}

function plotOption(what: string): Option {
  return new Option('--plot <file>', `write ${what} to this file, as SVG or PNG by its extension`);
}
