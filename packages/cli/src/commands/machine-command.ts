import type { CommandDefinition } from './command-definition.ts';

/** `bench-cli machine`: what disturbs measurements on this machine, and Node core's cpu.sh. */
export const machineCommand: CommandDefinition<'machine'> = {
  name: 'machine',
  summary: 'show what disturbs measurements on this machine, or set the frequency governor',
  description:
    'Looks at the machine for about a second, and shows what makes runs vary, with what to do about it: how much equal loops vary, ' +
    'other processes, the host or a quota that takes CPU time away, and the frequency governor. Most is known on Linux only.',
  examples: [
    ['machine', 'what disturbs, and what to do about it'],
    ['machine --governor performance', 'keep the CPUs at their highest frequency'],
  ],
  run: async (_, { format, governor }, { terminal }) => {
    const [{ diagnose, examineMachine, setGovernor }, { machineTable }] = await Promise.all([
      import('@bench-cli/runner'),
      import('../machine-table.ts'),
    ]);
    const { notice, result, json, paint, resultWidth } = terminal;
    if (governor !== undefined) {
      const former = setGovernor(governor).filter((name) => name !== governor);
      for (const name of former) notice(`bench-cli machine --governor ${name} restores the former governor`);
    }
    const findings = diagnose(await examineMachine());
    if (format === 'json') json(findings);
    else result(machineTable(findings, resultWidth, (colour, text) => paint(colour, text, 'stdout')));
    return 0;
  },
};
