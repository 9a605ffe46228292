import { UsageError } from '@bench-cli/results';
import { Supervisor } from '../process/supervisor.ts';

const defaultTimeoutMs = 1_800_000;

interface PrepareLimits {
  /** Default: half an hour. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs the user's shell command in a directory. No process that it starts outlives it.
 * @throws UsageError with its output if it fails or exceeds the time limit
 */
export async function prepareTree(
  label: string,
  command: string,
  cwd: string,
  { timeoutMs = defaultTimeoutMs, signal }: PrepareLimits,
): Promise<void> {
  const supervisor = new Supervisor();
  try {
    const [program, flag] = process.platform === 'win32' ? ['cmd', '/c'] : ['sh', '-c'];
    const { failure, printed } = await supervisor.run(
      { command: program, args: [flag, command], env: process.env, cwd, channel: 'pipe', timeoutMs },
      signal,
    );
    // Build tools can leave servers, which have ended by now.
    if (failure === undefined || failure.kind === 'left processes') return;
    const what =
      failure.kind === 'timeout' ? `exceeded the time limit of ${timeoutMs / 1000} s` : failure.message;
    const output = lastLines(printed().trim());
    throw new UsageError(
      'ERR_BENCH_PREPARE',
      `${label}: --prepare "${command}" ${what}; ${output === '' ? 'it printed nothing' : `its last lines:\n${output}`}`,
    );
  } finally {
    await supervisor.close();
  }
}

/** The cause stands at the end; package managers print much before it. */
const MOST_LINES = 12;

function lastLines(text: string): string {
  return text.split('\n').slice(-MOST_LINES).join('\n');
}
