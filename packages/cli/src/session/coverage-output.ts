import { columnsOf, textTable } from '@bench-cli/report';
import type { CommandSettings } from '@bench-cli/results/settings';
import { createRequest, type ModuleCoverage, measureCoverage } from '@bench-cli/runner';
import { readItems } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { interruptionSignal } from './interruption.ts';
import { viewSession } from './session-view.ts';
import { singleSubject } from './shown-session.ts';

/** Runs benchmarks and shows which functions of Node.js they do not call. */
export async function showCoverage(
  words: readonly string[],
  { subjects, progress, ...selection }: Omit<CommandSettings<'run'>, 'shard' | 'costs'>,
  terminal: Terminal,
): Promise<number> {
  const { cwd, env } = terminal.io;
  const signal = interruptionSignal(terminal);
  const request = await createRequest('run', singleSubject(subjects, terminal.io), {
    ...{ ...readItems(words), cwd, env },
    ...selection,
    runs: 1,
    signal,
  });
  const show = (modules: readonly ModuleCoverage[]) => {
    const { words: column } = columnsOf<ModuleCoverage>();
    const columns = [
      column('module', ({ module }) => module),
      column('called', ({ called, uncalled }) => `${called.length} of ${called.length + uncalled.length}`),
      column('functions that no benchmark calls', ({ uncalled }) => uncalled.join(', ')),
    ];
    terminal.result(textTable({ rows: modules, columns }));
  };
  return viewSession(measureCoverage(request, { signal, env }, show), {}, terminal, { progress });
}
