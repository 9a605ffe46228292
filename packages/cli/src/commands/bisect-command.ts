import { runsOf } from '../options.ts';
import type { CommandDefinition } from './command-definition.ts';

export const bisectCommand: CommandDefinition<'bisect'> = {
  name: 'bisect',
  summary: 'find the version that made a benchmark slower or faster',
  description:
    'Compares the bad end with the good one and, if they differ, searches the versions between them for the first that is like ' +
    'the bad end. Versions that do not work are skipped.',
  operands: ['[file]', 'the benchmark; --set chooses one of its configurations'],
  examples: [
    [
      'bisect --good node@22.0.0 --bad node@22.19.0 --set inLen=1024 string_decoder/string-decoder.ts',
      'the release of Node.js that changed a configuration',
    ],
    ['bisect --good npm:yaml@2.0.0 --bad npm:yaml@2.8.0 parse/yaml.ts', 'the version of a package'],
    [
      'bisect --good git:v1.0 --bad git:main --prepare "npm ci" parse/yaml.ts',
      'the commit of a branch; merged branches count as one commit',
    ],
    ['bisect --resume results.jsonl', 'continue an interrupted search'],
  ],
  run: async (words, options, { command, terminal, argv }) => {
    const { good, bad, resume, format = 'table' } = options;
    const [{ readSubject }, { showSession }, { bisectOutput }] = await Promise.all([
      import('@bench-cli/runner'),
      import('../session/shown-session.ts'),
      import('../session/bisect-output.ts'),
    ]);
    const isComplete = good !== undefined && bad !== undefined && words.length > 0;
    if (resume === undefined && !isComplete)
      command.error('bisect requires --good and --bad, each a version such as node@22.0.0, and a file');
    const subjects = isComplete
      ? { good: readSubject(good, terminal.io).request, bad: readSubject(bad, terminal.io).request }
      : {};
    const runs = runsOf(command, { ...options, runs: 'auto' }, 'auto');
    return showSession(
      { command: 'bisect', subjects, words, argv, runs, options },
      () => bisectOutput(format, terminal),
      terminal,
    );
  },
};
