import type { Command } from 'commander';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli cpu`: what Node core's cpu.sh does. */
export function addCpuCommand(program: Command): void {
  const cpu = program
    .command('cpu')
    .summary('show or set the frequency governor of the CPUs (Linux)')
    .description(
      'Shows or sets the frequency governor of the CPUs. "fast" keeps them at their highest frequency, which makes ' +
        'runs steadier; it costs power, so reset it afterwards. Setting needs root.',
    )
    .addHelpText('after', examples([['cpu get', 'which governor each CPU has']]));
  const actions = [
    ['get', 'show the governor of every CPU'],
    ['fast', 'set the governor to performance'],
    ['reset', "set the governor to the system's usual one"],
  ] as const;
  for (const [action, summary] of actions) {
    cpu
      .command(action)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .action(async () => {
        const { showGovernors } = await import('../output/governors.ts');
        showGovernors(action, processTerminal());
      });
  }
}
