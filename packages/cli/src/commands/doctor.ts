import type { Command } from 'commander';
import { examples } from '../options.ts';
import { processTerminal } from '../terminal.ts';

/** `bench-cli doctor`: what disturbs measurements on this machine. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .summary('show what disturbs measurements on this machine')
    .description(
      'Looks at the machine for about a second, and shows what makes runs vary: how much equal loops vary, other processes, ' +
        'frequencies, a host or a quota that takes CPU time away, swap and the clock, and what to do about each. It changes nothing. ' +
        'Most is known on Linux only.',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples([
        ['doctor', 'what disturbs, and what to do about it'],
        ['doctor --json', 'the same for programs'],
      ]),
    )
    .action(async ({ json }: { readonly json?: boolean }) => {
      const [{ diagnose, examineMachine }, { doctorTable }] = await Promise.all([
        import('@bench-cli/runner'),
        import('../doctor/doctor-table.ts'),
      ]);
      const { result, paint, resultWidth } = processTerminal();
      const state = await examineMachine();
      const findings = diagnose(state);
      if (json) result(`${JSON.stringify({ findings, ...state }, undefined, 2)}\n`);
      else result(doctorTable(findings, resultWidth, (colour, text) => paint(colour, text, 'stdout')));
    });
}
