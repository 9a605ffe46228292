import { runsOf } from '../options.ts';
import { processTerminal } from '../terminal.ts';
import { type CommandDefinition, refuseOthers } from './command.ts';

/** `bench-cli run`: Node core's run.js. */
export const runCommand: CommandDefinition<'run'> = {
  name: 'run',
  summary: 'run benchmarks and print their rates',
  description:
    'Runs every configuration of the benchmarks in its own process and prints operations per second. It does not judge ' +
    'differences: compare does.',
  operands: [
    '[group|file...]',
    'groups, files, directories, or "commands with spaces"; "all" for the whole suite, "test" for test mode, "coverage" for the functions of Node.js ' +
      'that no benchmark calls',
  ],
  examples: [
    ['run assert', 'all benchmarks of a group'],
    ['run --runs auto --margin 1% --filter parse url', 'until each rate is known within 1 %'],
    ["run 'node -p 1' 'node --jitless -p 1'", 'which of these commands is the fastest'],
    ['run all test', 'check that everything works: the shortest configuration of each'],
  ],
  run: async (words, options, command) => {
    const { subject, format } = options;
    if (options.resume === undefined && words.includes('coverage')) {
      refuseOthers(command, coverageSettings, 'coverage measures no rates');
      const { showCoverage } = await import('../session/coverage.ts');
      return showCoverage(
        words.filter((word) => word !== 'coverage'),
        options,
        processTerminal(),
      );
    }
    const [{ showSession, singleSubject }, { runOutput }] = await Promise.all([
      import('../session/session.ts'),
      import('../session/result-output.ts'),
    ]);
    const terminal = processTerminal();
    const shown = format ?? (terminal.resultIsTerminal ? 'table' : 'simple');
    // Node core's run.js prints one run.
    const isRanked = shown === 'table' || words.some((word) => word.includes(' '));
    const runs = runsOf(command, options, isRanked ? undefined : 1);
    return showSession(
      { command: 'run', subjects: singleSubject(subject), words, runs, options },
      (request) => runOutput(shown, request, terminal),
      terminal,
    );
  },
};

const coverageSettings = [
  'suite',
  'filter',
  'exclude',
  'set',
  'allowNewValues',
  'tags',
  'subject',
  'timeoutMs',
  'bail',
  'progress',
];

/** `bench-cli scatter`: Node core's scatter.js. */
export const scatterCommand: CommandDefinition<'scatter'> = {
  name: 'scatter',
  summary: 'run one benchmark many times and print its parameters and rates as CSV',
  description:
    'Runs every configuration of one benchmark many times and prints CSV with a column for each parameter. analyze shows from ' +
    'it how the rate depends on them.',
  operands: ['[file]', 'the benchmark'],
  examples: [
    ['scatter benchmarks/string_decoder/string-decoder.ts > scatter.csv', 'all configurations'],
    [
      'scatter --runs 5 --set encoding=ascii string_decoder/string-decoder.ts',
      'fewer runs of fewer configurations',
    ],
    ['scatter --subject node@22 --runs 5 url/parse.ts > node-22.csv', 'another release of Node.js'],
    ['scatter --set chunkLen=64 --runs 10 string_decoder/string-decoder.ts', 'one value of a parameter'],
  ],
  run: async (words, options, command) => {
    if (options.resume === undefined && words.length === 0)
      command.error('scatter requires the file of one benchmark');
    const [{ showSession, singleSubject }, { scatterOutput }] = await Promise.all([
      import('../session/session.ts'),
      import('../session/result-output.ts'),
    ]);
    const terminal = processTerminal();
    const runs = runsOf(command, options, 30);
    return showSession(
      { command: 'scatter', subjects: singleSubject(options.subject), words, runs, options },
      () => scatterOutput(terminal),
      terminal,
    );
  },
};

/** `bench-cli check`: does a benchmark measure what it claims? */
export const checkCommand: CommandDefinition<'check'> = {
  name: 'check',
  summary: 'find benchmarks that do not measure what they claim',
  description:
    'Runs every configuration with its number of operations and with twice that, and more where needed. It prints what is wrong, ' +
    'such as a loop that the compiler removed, with the figures that show it, and exits with 1 if it finds something.',
  operands: ['<group|file...>', 'groups of the suite, files or directories; "all" for the whole suite'],
  examples: [
    ['check benchmarks/string_decoder/string-decoder.ts', 'one file'],
    ['check --set n=1e5 url', 'a group, with another number of operations'],
    ['check --parameter size --filter parse url', 'where another parameter counts operations'],
    ['check --format json all > check.json', 'the whole suite, with the figures of all runs'],
  ],
  run: async (items, options) => {
    const { showCheck } = await import('../session/check.ts');
    return showCheck(items, options, processTerminal());
  },
};
