import type { ResultsSource } from '../analysis/results-file.ts';
import { isGiven } from '../options.ts';
import { type CommandDefinition, refuseOthers } from './command-definition.ts';

/** `bench-cli analyze`: Node core's compare.R, bar.R and scatter.R, and more. */
export const analyzeCommand: CommandDefinition<'analyze'> = {
  name: 'analyze',
  summary: 'show recorded results: tables, statistics, plots and a page',
  description:
    'Shows results files that --out wrote, and CSV of bench-cli or Node core, as the table of compare.R or scatter.R and in other ' +
    'forms. The results files of all shards of a session are joined.',
  takesFiles: true,
  operands: ['[file...]', 'results files (.jsonl) or CSV; CSV on standard input if omitted or -'],
  examples: {
    'analyze compare-pr.csv': 'which cases are faster',
    "analyze --fail-on 'slower>=5%' results.jsonl": 'a gate for CI',
    'analyze --html report.html results.jsonl': 'also a page, to search and sort',
    'analyze equal.jsonl --format markdown --plot equal.svg': 'publish what run has ranked',
    'analyze shard-*.jsonl --out all.jsonl': 'all shards of a session, and one file of them',
    'analyze --xaxis chunkLen --group-by encoding scatter.csv': 'how the rate depends on chunkLen',
  },
  run: async (operands, options, { command, terminal }) => {
    const [{ analyzeCompare, analyzeRates, analyzeScatter }, { resultsForm }] = await Promise.all([
      import('../analysis/analyze.ts'),
      import('../analysis/input-file.ts'),
    ]);
    const { xaxis } = options;
    const [first = '-', ...others] = operands;
    const files: ResultsSource['files'] = [first, ...others];
    // The file of a default is where measurements are recorded.
    const source = { files, out: isGiven(command, 'out') ? options.out : undefined };
    const kind = xaxis === undefined ? await resultsForm(first, terminal.io) : 'scatter';
    const [why, settings] = forms[kind];
    refuseOthers(command, [...settings, 'where', 'plot', 'out'], why);
    if (xaxis !== undefined) return analyzeScatter(source, xaxis, options, terminal);
    return (kind === 'rates' ? analyzeRates : analyzeCompare)(source, options, terminal);
  },
};

/** What each kind of results has, and the settings for it. */
const forms = {
  comparison: ['the file has a comparison', ['format', 'html', 'groupBy', 'failOn', 'allowMissing']],
  rates: ['the file has rates of run, which compares no subjects', ['format', 'html']],
  scatter: ['--xaxis shows rates by parameters', ['xaxis', 'groupBy', 'log']],
} as const;
