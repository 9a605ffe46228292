import { runtimeText } from '@bench-cli/results';
import { interruptionSignal } from '../session/interruption.ts';
import type { CommandDefinition } from './command-definition.ts';

export const fetchCommand: CommandDefinition<'fetch'> = {
  name: 'fetch',
  summary: 'fetch subjects into the cache, for machines without a network',
  description:
    'Fetches runtimes and packages into the cache directory, where all other commands find them. Measure later with the same ' +
    'words, on a machine that shares the directory. BENCH_CLI_CACHE names another directory.',
  operands: ['<subject...>', 'releases of runtimes and packages, such as node@22.23.3 or npm:yaml@2'],
  examples: { 'fetch node@22 node@26': 'two releases, before jobs on nodes of a cluster are submitted' },
  run: async (subjects, _, { terminal }) => {
    const { readSubject, resolveSubject } = await import('@bench-cli/subjects');
    const { cwd, env } = terminal.io;
    const signal = interruptionSignal(terminal);
    for (const text of subjects) {
      const { request } = readSubject(text, terminal.io);
      const { runtime, packages = [] } = await resolveSubject(text, request, { signal, cwd, env });
      const named = packages.map(({ name, version, registry }) => {
        const from = registry === undefined ? '' : ` from ${registry}`;
        return `${name} ${version}${from}`;
      });
      terminal.result(`${text}: ${[runtimeText(runtime), ...named].join(', ')}\n`);
    }
    return 0;
  },
};
