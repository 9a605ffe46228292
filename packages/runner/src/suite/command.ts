import { UsageError } from '@bench-cli/results';
import type { Failure } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { split } from 'shlex';
import { failureOf } from '../process/supervisor.ts';
import { importedFilesProbe, type Script, scriptProcess } from './script.ts';
import { emptyPlan, type FilePlan, type PlanningSession } from './suite-kind.ts';

/** Characters that only a shell understands, outside of quotes. */
const shellOnly = /[|;&<>]/;
const quoted = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs;

/**
 * The words of an item that is a whole command: it has a space. No shell reads it.
 * @throws UsageError if its quotes are not closed, or if it requires a shell
 */
export function commandWords(item: string): readonly string[] | undefined {
  if (!/\S\s/.test(item)) return undefined;
  const [shell] = shellOnly.exec(item.replace(quoted, '')) ?? [];
  const words = shell === undefined ? orElse(() => split(item), undefined) : undefined;
  if (words !== undefined) return words;
  const problem =
    shell === undefined
      ? 'has a quote without its end: close the quote'
      : `contains ${shell}, which requires a shell: quote it, or write sh -c '...' around the command`;
  throw new UsageError('ERR_BENCH_COMMAND_TEXT', `the command "${item}" ${problem}`);
}

/**
 * A whole command is a benchmark with one configuration: its result is the wall time from the start of its process to its end. Its
 * program is the runtime of the subject if that is its name. It is executed once, to learn which files it loads; if that fails, its
 * runs tell.
 */
export async function planCommand(
  words: readonly string[],
  { subject, settings, supervisor, signal }: PlanningSession,
): Promise<FilePlan | Failure> {
  const { runtime, executable, flags, packages } = subject;
  const [program = '', ...args] = words;
  const isRuntime = program === runtime.name;
  if (packages !== undefined) return unused('packages', 'compare commits or directories of your package');
  if (!isRuntime && (flags.length > 0 || executable !== process.execPath))
    return unused('runtime', `begin it with ${runtime.name}, or leave the runtime and its flags out`);
  const script: Script = {
    path: words.join(' '),
    launch: (purpose) => ({
      env: purpose === 'plan' ? { NODE_OPTIONS: withProbe(supervisor.env['NODE_OPTIONS']) } : {},
      channel: 'pipe',
      command: isRuntime ? [executable, ...flags, ...args] : words,
    }),
    results: 'wall time',
    values: 'fixed',
  };
  await supervisor.run(scriptProcess('plan', script, subject, settings), signal);
  return [{ ...emptyPlan(script), configurations: [{}] }];
}

/** The program can start Node.js itself, or by way of a shell. */
function withProbe(options = ''): string {
  return `${options} --require=${JSON.stringify(importedFilesProbe)}`.trim();
}

function unused(what: string, remedy: string): Failure {
  return failureOf('not started', `does not use the ${what} of the subject: ${remedy}`);
}
