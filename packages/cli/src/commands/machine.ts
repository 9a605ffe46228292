import type { Command } from 'commander';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli machine`: what disturbs measurements on this machine, and Node core's cpu.sh. */
export function addMachineCommand(program: Command): void {
  program
    .command('machine')
    .summary('show what disturbs measurements on this machine, or set the frequency governor')
    .description(
      'Looks at the machine for about a second, and shows what makes runs vary, with what to do about it: how much equal loops ' +
        'vary, other processes, the host or a quota that takes CPU time away, and the frequency governor. Most is known on Linux only.',
    )
    .option('--json', 'print JSON')
    .option(
      '--governor <name>',
      'first set the frequency governor of all CPUs, such as performance or powersave (Linux, as root)',
    )
    .addHelpText(
      'after',
      examples([
        ['machine', 'what disturbs, and what to do about it'],
        ['machine --governor performance', 'keep the CPUs at their highest frequency'],
      ]),
    )
    .action(async ({ json, governor }: { readonly json?: boolean; readonly governor?: string }) => {
      const [{ diagnose, examineMachine, setGovernor }, { machineTable }] = await Promise.all([
        import('@bench-cli/runner'),
        import('../machine-table.ts'),
      ]);
      const { notice, result, paint, resultWidth } = processTerminal();
      if (governor !== undefined) {
        const former = setGovernor(governor).filter((name) => name !== governor);
        for (const name of former)
          notice(`bench-cli machine --governor ${name} restores the former governor`);
      }
      const findings = diagnose(await examineMachine());
      if (json) result(`${JSON.stringify(findings, undefined, 2)}\n`);
      else result(machineTable(findings, resultWidth, (colour, text) => paint(colour, text, 'stdout')));
    });
}
