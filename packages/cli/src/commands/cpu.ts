import type { Command } from 'commander';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli cpu`: Node core's cpu.sh. */
export function addCpuCommand(program: Command): void {
  const command = program
    .command('cpu')
    .summary('show or set the frequency governor of the CPUs (Linux)')
    .description(
      'Shows or sets the frequency governor of the CPUs. "fast" keeps them at their highest frequency, which makes ' +
        'runs steadier and uses more power, so reset it afterwards. Setting it requires root.',
    )
    .addHelpText('after', examples([['cpu get', 'the governor of each CPU']]));
  const actions = [
    ['get', 'show the governor of each CPU'],
    ['fast', 'set the governor to performance'],
    ['reset', "set the governor to the system's default"],
  ] as const;
  for (const [action, summary] of actions) {
    command
      .command(action)
      .summary(summary)
      .description(`${summary[0]?.toUpperCase()}${summary.slice(1)}.`)
      .action(async () => {
        const { fastGovernor, readGovernors, setGovernor, usualGovernor } = await import('@bench-cli/runner');
        const { notice, result } = processTerminal();
        if (action !== 'get') setGovernor(action === 'fast' ? fastGovernor : usualGovernor());
        for (const { cpu, governor } of readGovernors()) result(`cpu${cpu}: ${governor}\n`);
        if (action === 'fast')
          notice('the CPUs now run at their highest frequency; bench-cli cpu reset restores the default');
      });
  }
}
