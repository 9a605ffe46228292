import type { CommandDefinition } from './command-definition.ts';

export const checkCommand: CommandDefinition<'check'> = {
  name: 'check',
  summary: 'find benchmarks that do not measure what they claim',
  description:
    'Runs every case with its number of operations and with twice that, and more where needed. It prints what is wrong, ' +
    'such as a loop that the compiler removed, with the figures that show it, and exits with 1 if it finds something. With --functions it prints which functions ' +
    'of the project sessions of compare would notice to become slower, and from which change on.',
  operands: ['[group|file...]', 'groups of the suite, files or directories (default: the whole suite)'],
  examples: {
    'check benchmarks/string_decoder/string-decoder.ts': 'one file',
    'check --set n=1e5 url': 'a group, with another number of operations',
    'check --filter parse url': 'some files of a group',
    'check --functions': 'which functions the suite would notice to become slower',
    'check --format json all > check.json': 'the whole suite, with the figures of all runs',
  },
  run: async (items, options, { terminal }) => {
    const { showCheck } = await import('../session/check.ts');
    return showCheck(items, options, terminal);
  },
};
