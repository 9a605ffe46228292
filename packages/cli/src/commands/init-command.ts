import type { CommandDefinition } from './command-definition.ts';

export const initCommand: CommandDefinition<'init'> = {
  name: 'init',
  summary: 'write a first benchmark and the config of a project',
  description:
    'Looks at the package in this directory, and shows a first benchmark of a function that it exports, and a config file that says how to build ' +
    'a commit and with which branch to compare. Asks before it writes them, and never replaces a file. It reads the files of the ' +
    'package, and executes nothing of it.',
  operands: [
    '[workflow...]',
    '"workflow": also the job for pull requests; "workflow github" or "workflow gitlab" says where',
  ],
  examples: {
    init: 'show the files, and ask',
    'init --write': 'write them without a question',
    'init workflow': 'also for pull requests on GitHub, or merge requests on GitLab',
  },
  run: async (words, { write = false }, { command, terminal }) => {
    const [word, given, ...others] = words;
    const host = (['github', 'gitlab'] as const).find((each) => each === given);
    if ((word ?? 'workflow') !== 'workflow' || host !== given || others.length > 0)
      command.error(
        `"${words.join(' ')}" is unknown: expected workflow, workflow github, workflow gitlab, or nothing`,
      );
    const { initProject } = await import('../init/init.ts');
    return initProject({ words, host, write }, terminal);
  },
};
