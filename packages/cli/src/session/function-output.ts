import { noticedFunctions, renderFunctions } from '@bench-cli/report';
import type { SessionRequest } from '@bench-cli/results/recording';
import type { CommandSettings } from '@bench-cli/results/settings';
import { formerComparisons, type SessionEvent, traceFunctions } from '@bench-cli/runner';
import { FIRST_LOOK } from '@bench-cli/stats/internal';
import { writeOutput } from '../analysis/output-file.ts';
import type { Terminal } from '../terminal.ts';
import { interruptionSignal } from './interruption.ts';
import { type ResultOutput, viewSession } from './session-view.ts';
import { showSession, singleSubject } from './shown-session.ts';

/**
 * Shows which functions of the project the benchmarks would notice to become slower.
 * @param request a run of the benchmarks
 */
export async function showFunctions(
  request: SessionRequest,
  words: readonly string[],
  { subjects, format = 'text', html, budgetMs, ...options }: CommandSettings<'check'>,
  terminal: Terminal,
): Promise<number> {
  const { cwd, env } = terminal.io;
  const profiled: SessionEvent<'profiled'>[] = [];
  let functions: SessionEvent<'traced'>['functions'] = [];
  const output: ResultOutput = {
    profiled: (event) => profiled.push(event),
    traced: (event) => {
      functions = event.functions;
    },
  };
  const tracing = traceFunctions(request, { signal: interruptionSignal(terminal), env });
  let exitCode = await viewSession(tracing, output, terminal, options);
  if (profiled.length === 0) return exitCode || 1;
  const noticed = () => noticedFunctions(functions, profiled, formerComparisons(cwd), budgetMs);
  let notice = noticed();
  if (notice.cases.length < profiled.length) {
    const [code = {}] = Object.values(singleSubject(subjects, terminal.io));
    const comparison = {
      command: 'compare',
      subjects: { one: code, other: code },
      words,
      argv: ['compare', ...words],
      runs: { maxRuns: FIRST_LOOK },
      options: { ...options, allowSame: true },
    } as const;
    exitCode = (await showSession(comparison, () => ({}), terminal)) || exitCode;
    // It was interrupted.
    if (exitCode > 1) return exitCode;
    notice = noticed();
  }
  const { recordings: _, ...shown } = notice;
  if (format === 'json') terminal.json(shown);
  else terminal.result(renderFunctions(notice, format, terminal.resultWidth));
  if (html !== undefined) {
    const { renderFunctionsPage } = await import('@bench-cli/report/page');
    writeOutput(html, renderFunctionsPage(notice));
  }
  return exitCode;
}
