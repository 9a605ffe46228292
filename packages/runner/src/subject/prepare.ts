import { UsageError } from '@bench-cli/results';
import { platform } from '@bench-cli/system';
import { Supervisor } from '../process/supervisor.ts';
import type { SubjectOptions } from './subject-request.ts';

const defaultTimeoutMs = 1_800_000;
/** The cause stands at the end of the output; package managers print much before it. */
const MOST_LINES = 12;

/** What a command is for: the option that has it, and the code of the error if it fails. */
const purposes = { '--prepare': 'ERR_BENCH_PREPARE', '--verify': 'ERR_BENCH_VERIFY' } as const;

/**
 * Runs the user's shell command in a directory. No process that it starts outlives it.
 * @throws UsageError with its output if it fails or exceeds the time limit
 */
export async function prepareTree(
  label: string,
  command: string,
  cwd: string,
  { prepareTimeoutMs: timeoutMs = defaultTimeoutMs, signal }: SubjectOptions,
  option: keyof typeof purposes = '--prepare',
): Promise<void> {
  const supervisor = new Supervisor();
  try {
    const [program, ...args] = platform.shell(command);
    const { failure, printed } = await supervisor.run(
      { command: program, args, env: process.env, cwd, channel: 'pipe', timeoutMs },
      signal,
    );
    // Build tools can leave servers, which have ended by now.
    if (failure === undefined || failure.kind === 'left processes') return;
    const what =
      failure.kind === 'timeout' ? `exceeded the time limit of ${timeoutMs / 1000} s` : failure.message;
    const output = printed().trim().split('\n').slice(-MOST_LINES).join('\n');
    throw new UsageError(
      purposes[option],
      `${label}: ${option} "${command}" ${what}; ${output === '' ? 'it printed nothing' : `its last lines:\n${output}`}`,
    );
  } finally {
    await supervisor.close();
  }
}
