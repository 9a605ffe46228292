import { processTerminal } from '../terminal.ts';
import type { CommandDefinition } from './command.ts';

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
  run: async (_, { format, governor }) => {
    const [{ diagnose, examineMachine, setGovernor }, { machineTable }] = await Promise.all([
      import('@bench-cli/runner'),
      import('../machine-table.ts'),
    ]);
    const { notice, result, paint, resultWidth } = processTerminal();
    if (governor !== undefined) {
      const former = setGovernor(governor).filter((name) => name !== governor);
      for (const name of former) notice(`bench-cli machine --governor ${name} restores the former governor`);
    }
    const findings = diagnose(await examineMachine());
    if (format === 'json') result(`${JSON.stringify(findings, undefined, 2)}\n`);
    else result(machineTable(findings, resultWidth, (colour, text) => paint(colour, text, 'stdout')));
    return 0;
  },
};

/** `bench-cli fetch`: fills the cache for machines without a network. */
export const fetchCommand: CommandDefinition<'fetch'> = {
  name: 'fetch',
  summary: 'fetch subjects into the cache, for machines without a network',
  description:
    'Fetches runtimes and packages into the cache directory, where all other commands find them. Measure later with the same ' +
    'words, on a machine that shares the directory. BENCH_CLI_CACHE names another directory.',
  operands: ['<subject...>', 'releases of runtimes and packages, such as node@22.23.3 or npm:yaml@2'],
  examples: [['fetch node@22 node@26', 'two releases, before jobs on nodes of a cluster are submitted']],
  run: async (subjects) => {
    const { fetchSubjects } = await import('../session/fetched-subjects.ts');
    await fetchSubjects(subjects, processTerminal());
    return 0;
  },
};
