import type { CommandDefinition } from './command.ts';

export const mergeCommand: CommandDefinition<'merge'> = {
  name: 'merge',
  summary: 'join results files of several machines',
  description:
    'Joins results files of run or compare: all shards of a session (--shard), or whole sessions that several machines have ' +
    'measured. They must be of one command, finished and complete. Runs of different machines are not compared with each other.',
  operands: ['<file...>', 'results files (.jsonl) that --out wrote'],
  examples: [
    ['merge shard-*.jsonl --out all.jsonl', 'all shards; analyze reads the file'],
    ['merge monday.jsonl tuesday.jsonl --out both.jsonl', 'two whole sessions of one command'],
  ],
  run: async (files, { out }, { command, terminal }) => {
    if (out === undefined)
      return command.error('merge requires --out, the file to write, which must not exist');
    const { writeMerged } = await import('../analysis/merge.ts');
    await writeMerged(files, out, terminal);
    return 0;
  },
};
