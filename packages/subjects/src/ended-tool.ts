import { UsageError } from '@bench-cli/results';

/** Minutes until git or npm must have ended: a partial clone fetches what it lacks. Tests replace them. */
export const toolLimit = { minutes: 5 };

/** Ends a tool; undefined where only its limit can. */
export type Signal = AbortSignal | undefined;

interface ToolOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: Signal;
}

export interface EndedTool {
  /** Whether its exit code is not 0, or it is missing. */
  readonly failed: boolean;
  /** `ENOENT` if it is missing. */
  readonly code?: string | undefined;
  readonly stdout: string;
  readonly stderr: string;
  /** How the command failed, in a line. */
  readonly shortMessage?: string | undefined;
}

/**
 * Runs git or npm to its end. A signal and the limit also end what it has started: an `ssh` that hangs would
 * keep its output open.
 * @throws UsageError with a code at the limit and if it cannot be started, except that it is missing; the
 *   reason of `signal` if it aborts
 */
export async function endedTool(
  tool: 'git' | 'npm',
  words: readonly string[],
  code: `ERR_BENCH_${string}`,
  { signal, ...options }: ToolOptions,
): Promise<EndedTool> {
  signal?.throwIfAborted();
  // Most commands need neither tool.
  const { execa } = await import('execa');
  const result = await execa(tool, words, {
    ...options,
    reject: false,
    stdin: 'ignore',
    maxBuffer: 1 << 30,
    timeout: toolLimit.minutes * 60_000,
    killDescendants: true,
    forceKillAfterDelay: 1000,
    ...(signal && { cancelSignal: signal }),
  });
  signal?.throwIfAborted();
  // Without free descriptors, for example, git must not seem to find no repository.
  const isStarted = result.exitCode !== undefined || result.signal !== undefined || result.code === 'ENOENT';
  if (isStarted && !result.timedOut) return result;
  const command = words.find((word) => !word.startsWith('-'));
  const problem = result.timedOut
    ? `did not end within ${toolLimit.minutes} minutes`
    : `could not be started (${result.originalMessage})`;
  throw new UsageError(code, `${tool} ${command} ${problem} in ${options.cwd}: try it there`);
}
