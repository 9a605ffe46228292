import { columnsOf, textTable } from '@bench-cli/report';
import { createRequest, measureCoverage } from '@bench-cli/runner';
import { type ExecutionOptions, readItems, type SelectionOptions } from '../options.ts';
import type { Terminal } from '../terminal.ts';
import { interruptionSignal } from './interruption.ts';
import { viewSession } from './session-view.ts';

/** Options of `run coverage`, as the user typed them. */
export interface CoverageOptions
  extends SelectionOptions,
    Pick<ExecutionOptions, 'timeout' | 'progress' | 'bail'> {
  readonly runtime?: string;
  readonly nodeArg?: string[];
}

/**
 * Runs benchmarks and shows which functions of Node.js they do not call.
 * @returns the exit code
 */
export async function showCoverage(
  words: readonly string[],
  { runtime, nodeArg, tag, timeout, progress, bail = false, ...selection }: CoverageOptions,
  terminal: Terminal,
): Promise<number> {
  const signal = interruptionSignal();
  const request = await createRequest(
    'run',
    { node: { runtime, flags: nodeArg } },
    { ...readItems(words), ...selection, runs: 1, tags: tag, timeoutMs: timeout, signal },
  );
  async function* session() {
    const modules = yield* measureCoverage(request, signal);
    const { words } = columnsOf<(typeof modules)[number]>();
    const columns = [
      words('module', ({ module }) => module),
      words('called', ({ called, uncalled }) => `${called.length} of ${called.length + uncalled.length}`),
      words('functions that no benchmark calls', ({ uncalled }) => uncalled.join(', ')),
    ];
    terminal.result(textTable({ rows: modules, columns }));
  }
  return viewSession(session(), {}, terminal, { progress, bail });
}
