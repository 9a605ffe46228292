import type { CommandDefinition } from './command-definition.ts';

export const historyCommand: CommandDefinition<'history'> = {
  name: 'history',
  summary: 'keep the results of many commits, and find the commits that changed them',
  description:
    'Adds results files to a history, a file that lives in a branch or a cache, and shows at which commits the results have ' +
    'changed. Only results of one machine are compared with each other.',
  operands: ['[file...]', 'results files (.jsonl) to add'],
  takesFiles: true,
  examples: {
    'history --file history.jsonl --commit "$(git rev-parse HEAD)" results.jsonl':
      'adds a session, and shows the changes',
    'history --file history.jsonl --margin 2%': 'only shows the changes',
    'history --file history.jsonl --html history.html': 'draws the values of all commits',
  },
  run: async (files, { file, ...options }, { command, terminal }) => {
    if (file === undefined) return command.error('history requires --file, the file of the history');
    const { showHistory } = await import('../history/history.ts');
    await showHistory(files, file, options, terminal);
    return 0;
  },
};
