import type { CommandDefinition } from './command-definition.ts';

export const completionCommand: CommandDefinition<'completion'> = {
  name: 'completion',
  summary: 'print a script by which bash, zsh or fish complete commands',
  description:
    'Prints a script for a shell, which then completes commands, options, their values and files. It asks the bench-cli on the PATH.',
  operands: ['<shell>', 'bash, zsh or fish'],
  examples: {
    'completion bash > bench-cli.bash': 'a file for ~/.bashrc to source',
    'completion zsh > _bench-cli': 'a file for a directory of fpath',
    'completion fish > bench-cli.fish': 'a file for ~/.config/fish/completions',
  },
  run: async ([shell = ''], _settings, { command, terminal }) => {
    const { completionScripts } = await import('../completion.ts');
    const script = completionScripts.get(shell);
    if (script === undefined)
      return command.error(`unknown shell "${shell}": expected ${[...completionScripts.keys()].join(', ')}`);
    terminal.io.stdout.write(script);
    return 0;
  },
};
