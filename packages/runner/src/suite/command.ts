import { UsageError } from '@bench-cli/results';
import type { Failure } from '@bench-cli/results/recording';
import { split } from 'shlex';
import type { Script } from './script.ts';
import type { FilePlan, PlanningSession } from './suite-kind.ts';

/** What only a shell understands, outside of quotes. */
const shellOnly = /[|;&<>]/;
const quoted = /'[^']*'|"(?:\\.|[^"\\])*"|\\./gs;

/**
 * The words of an item that is a whole command: it has a space. No shell reads it.
 * @throws UsageError if its quotes are not closed, or if it requires a shell
 */
export function commandWords(item: string): readonly string[] | undefined {
  if (!/\S\s/.test(item)) return undefined;
  const [shell] = shellOnly.exec(item.replace(quoted, '')) ?? [];
  if (shell === undefined) return wordsOf(item);
  throw new UsageError(
    'ERR_BENCH_COMMAND_TEXT',
    `the command "${item}" contains ${shell}, which requires a shell: quote it, or write sh -c '...' around the command`,
  );
}

function wordsOf(item: string): readonly string[] {
  try {
    return split(item);
  } catch {
    throw new UsageError(
      'ERR_BENCH_COMMAND_TEXT',
      `the command "${item}" has a quote without its end: close the quote`,
    );
  }
}

/**
 * A whole command is a benchmark with one configuration: its result is the wall time from the start of its process to its end. Its
 * program is the runtime of the subject if that is its name.
 */
export function planCommand(
  words: readonly string[],
  { subject: { runtime, executable, flags, packages } }: PlanningSession,
): FilePlan | Failure {
  const [program = '', ...args] = words;
  const isRuntime = program === runtime.name;
  if (packages !== undefined) return unused('packages', 'compare commits or directories of your package');
  if (!isRuntime && (flags.length > 0 || executable !== process.execPath))
    return unused('runtime', `begin it with ${runtime.name}, or leave the runtime and its flags out`);
  const script: Script = {
    path: words.join(' '),
    flags: [],
    extra: [],
    launch: () => ({
      flags: [],
      entry: [],
      args: [],
      env: {},
      channel: 'pipe',
      command: isRuntime ? [executable, ...flags, ...args] : words,
    }),
    results: 'wall time',
    values: 'fixed',
  };
  return [{ script, configurations: [{}], parameters: [], values: {}, isHeld: false }];
}

function unused(what: string, remedy: string): Failure {
  return { kind: 'not started', message: `does not use the ${what} of the subject: ${remedy}`, output: '' };
}
