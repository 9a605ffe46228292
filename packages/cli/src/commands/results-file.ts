import { processTerminal } from '../terminal.ts';
import type { CommandDefinition } from './command.ts';

/** `bench-cli explain`: the functions behind a difference. */
export const explainCommand: CommandDefinition<'explain'> = {
  name: 'explain',
  summary: 'show which functions made a comparison faster or slower',
  description:
    'Profiles the configurations of a comparison that differ, and prints the functions whose own time, or allocated memory, per ' +
    'operation differs. The benchmarks and the runtimes must be those of the comparison.',
  operands: ['<file>', 'results file (.jsonl) of compare'],
  examples: [
    ['explain results.jsonl', 'all configurations that are faster or slower'],
    ['explain results.jsonl --profile-runs 30', 'more precisely'],
    ['explain results.jsonl --where encoding=ascii', 'some configurations, also without a difference'],
    ['analyze results.jsonl --html report.html', 'then: a page with the flame graphs'],
  ],
  run: async ([file = ''], { profileRuns = 10, top = 10, profiles: output, ...options }) => {
    const { showExplanation } = await import('../session/explanation.ts');
    return showExplanation(file, { ...options, profiles: profileRuns, top, output }, processTerminal());
  },
};

/** `bench-cli history`: the results of many commits. */
export const historyCommand: CommandDefinition<'history'> = {
  name: 'history',
  summary: 'keep the results of many commits, and find the commits that changed them',
  description:
    'Adds results files to a history, a file that lives in a branch or a cache, and shows at which commits the results have ' +
    'changed. Only results of one machine are compared with each other.',
  operands: ['[file...]', 'results files (.jsonl) to add'],
  examples: [
    [
      'history --file history.jsonl --commit "$(git rev-parse HEAD)" results.jsonl',
      'adds a session, and shows the changes',
    ],
    ['history --file history.jsonl --margin 2%', 'only shows the changes'],
    ['history --file history.jsonl --html history.html', 'draws the values of all commits'],
  ],
  run: async (files, { file, ...options }, command) => {
    if (file === undefined) return command.error('history requires --file, the file of the history');
    const { showHistory } = await import('../history/history.ts');
    await showHistory(files, { file, ...options }, processTerminal());
    return 0;
  },
};

/** `bench-cli merge`: joins results files of several machines. */
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
  run: async (files, { out }, command) => {
    if (out === undefined)
      return command.error('merge requires --out, the file to write, which must not exist');
    const { writeMerged } = await import('../analysis/merge.ts');
    await writeMerged(files, out, processTerminal());
    return 0;
  },
};
