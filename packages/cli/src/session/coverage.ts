import { renderTextTable } from '@bench-cli/report';
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
    const column = (title: string, text: (module: (typeof modules)[number]) => string) => ({
      title,
      cells: modules.map(text),
      align: 'left' as const,
    });
    terminal.result(
      renderTextTable([
        column('module', ({ module }) => module),
        column('called', ({ called, uncalled }) => `${called.length} of ${called.length + uncalled.length}`),
        column('functions that no benchmark calls', ({ uncalled }) => uncalled.join(', ')),
      ]),
    );
  }
  return viewSession(session(), {}, terminal, { progress, bail });
}
