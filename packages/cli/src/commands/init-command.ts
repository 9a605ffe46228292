import type { CommandDefinition } from './command-definition.ts';

export const initCommand: CommandDefinition<'init'> = {
  name: 'init',
  summary: 'write a first benchmark and the config of a project',
  description:
    'Looks at the package in this directory, and shows a first benchmark of a function that it exports, and a config file that says how to build ' +
    'a commit and with which branch to compare. Asks before it writes them, and never replaces a file. It reads the files of the ' +
    'package, and executes nothing of it.',
  operands: ['[workflow]', '"workflow": also the job for pull requests on GitHub or GitLab'],
  examples: [
    ['init', 'show the files, and ask'],
    ['init --write', 'write them without a question'],
    ['init workflow', 'also for pull requests on GitHub, or merge requests on GitLab'],
  ],
  run: async ([word], { write = false }, { command, terminal }) => {
    if (word !== undefined && word !== 'workflow')
      command.error(`unknown word "${word}": expected workflow, or nothing`);
    const { initProject } = await import('../init/init.ts');
    return initProject(word !== undefined, write, terminal);
  },
};
