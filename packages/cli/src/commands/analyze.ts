import { type CommandDefinition, refuseOthers } from './command.ts';

/** `bench-cli analyze`: Node core's compare.R, bar.R and scatter.R, and more. */
export const analyzeCommand: CommandDefinition<'analyze'> = {
  name: 'analyze',
  summary: 'show recorded results: tables, statistics, plots and a page',
  description:
    'Shows results files that --out wrote, and CSV of bench-cli or Node core, as the table of compare.R or scatter.R and in other ' +
    'forms. Several files are those of several machines, which are compared within each.',
  operands: ['[[name=]file...]', 'results files (.jsonl) or CSV; CSV on standard input if omitted or -'],
  examples: [
    ['analyze compare-pr.csv', 'which configurations are faster'],
    ["analyze --fail-on 'slower>=5%' results.jsonl", 'a gate for CI'],
    ['analyze --html report.html results.jsonl', 'also a page, to search and sort'],
    ['analyze --xaxis chunkLen --category encoding scatter.csv', 'how the rate depends on chunkLen'],
  ],
  run: async (files, options, { command, terminal }) => {
    const [{ analyzeCompare, analyzeLatencies, analyzeScatter, showRates }, { resultsForm }] =
      await Promise.all([import('../analysis/analyze.ts'), import('../analysis/input-file.ts')]);
    const { xaxis, format, where = [] } = options;
    const [file, another] = files;
    if (format === 'hdr') {
      refuseOthers(command, ['format', 'where', 'plot'], '--format hdr shows latencies');
      if (another !== undefined) command.error(`latencies are shown one file at a time: remove ${another}`);
      return analyzeLatencies(file, options, terminal);
    }
    const form = await resultsForm(file);
    if (form !== 'rates' && xaxis === undefined) {
      if (format === 'bars') refuseOthers(command, barSettings, 'bars show the mean rates');
      else refuseOthers(command, comparisonSettings, 'the file has a comparison');
      return analyzeCompare(files, { ...options, format }, terminal);
    }
    if (another !== undefined)
      command.error(`rates of one subject are shown one file at a time: remove ${another}`);
    if (xaxis !== undefined) {
      refuseOthers(command, scatterSettings, '--xaxis shows rates by parameters');
      return analyzeScatter(file, { ...options, xaxis }, terminal);
    }
    refuseOthers(
      command,
      ['where'],
      'the file has the rates of one subject; --xaxis shows them by a parameter',
    );
    return showRates(file, where, terminal);
  },
};

const barSettings = ['format', 'where', 'plot'];
const comparisonSettings = [
  ...barSettings,
  ...['columns', 'correct', 'groupBy', 'html', 'profiles', 'failOn', 'allowMissing'],
];
const scatterSettings = ['xaxis', 'category', 'log', 'where', 'plot'];
