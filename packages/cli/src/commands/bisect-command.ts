import { settings } from '@bench-cli/results/settings';
import { runsOf } from '../options.ts';
import type { CommandDefinition } from './command-definition.ts';

export const bisectCommand: CommandDefinition<'bisect'> = {
  name: 'bisect',
  summary: 'find the version that made a benchmark slower or faster',
  description:
    'Compares the new version with the old one and, if they differ, searches the versions between them for the first that is like ' +
    'the new one. Versions that do not work are skipped.',
  operands: ['[file]', 'the benchmark; --set chooses one of its cases'],
  examples: {
    'bisect --old node@22.0.0 --new node@22.19.0 --set inLen=1024 string_decoder/string-decoder.ts':
      'the release of Node.js that changed a case',
    'bisect --old npm:yaml@2.0.0 --new npm:yaml@2.8.0 parse/yaml.ts': 'the version of a package',
    'bisect --old git:v1.0 --new git:main --prepare "npm ci" parse/yaml.ts':
      'the commit of a branch; merged branches count as one commit',
    'bisect --resume results.jsonl': 'continue an interrupted search',
  },
  run: async (words, options, { command, terminal, argv }) => {
    const { old, new: bad = settings.new.default, resume, format = 'table' } = options;
    const [{ readSubject }, { showSession }, { bisectOutput }] = await Promise.all([
      import('@bench-cli/runner'),
      import('../session/shown-session.ts'),
      import('../session/bisect-output.ts'),
    ]);
    const isComplete = old !== undefined && words.length > 0;
    const missing = [
      ...(old === undefined ? ['--old, a good version such as node@22.0.0'] : []),
      ...(words.length === 0 ? ['a benchmark file'] : []),
    ];
    if (resume === undefined && !isComplete) command.error(`bisect requires ${missing.join(', and ')}`);
    const subjects = isComplete
      ? { good: readSubject(old, terminal.io).request, bad: readSubject(bad, terminal.io).request }
      : {};
    const runs = runsOf(command, { ...options, runs: 'auto' }, 'auto');
    const session = { command: 'bisect', subjects, words, argv, runs, options } as const;
    return showSession(session, () => bisectOutput(format, terminal), terminal);
  },
};
