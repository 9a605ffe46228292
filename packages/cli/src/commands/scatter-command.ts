import { runsOf } from '../options.ts';
import type { CommandDefinition } from './command-definition.ts';

/** `bench-cli scatter`: Node core's scatter.js. */
export const scatterCommand: CommandDefinition<'scatter'> = {
  name: 'scatter',
  summary: 'run one benchmark many times and print its parameters and rates as CSV',
  description:
    'Runs every case of one benchmark many times and prints CSV with a column for each parameter. analyze shows how the ' +
    'rate depends on them.',
  operands: ['[file]', 'the benchmark'],
  examples: {
    'scatter benchmarks/string_decoder/string-decoder.ts > scatter.csv': 'all cases',
    'scatter --runs 5 --set encoding=ascii string_decoder/string-decoder.ts': 'fewer runs of fewer cases',
    'scatter --subject node@22 --runs 5 url/parse.ts > node-22.csv': 'another release of Node.js',
    'scatter --set chunkLen=64 --runs 10 string_decoder/string-decoder.ts': 'one value of a parameter',
  },
  run: async (words, options, { command, terminal, argv }) => {
    if (options.resume === undefined && words.length === 0)
      command.error('scatter requires the file of one benchmark');
    const [{ showSession, singleSubject }, { scatterOutput }] = await Promise.all([
      import('../session/shown-session.ts'),
      import('../session/result-output.ts'),
    ]);
    const runs = runsOf(command, options, 30);
    const subjects = singleSubject(options.subjects, terminal.io);
    const session = { command: 'scatter', subjects, words, argv, runs, options } as const;
    return showSession(session, () => scatterOutput(terminal), terminal);
  },
};
