import { UsageError } from '@bench-cli/results';
import type { SourcePreparation, SubjectOptions } from '@bench-cli/subjects';
import { platform } from '@bench-cli/system';
import { Supervisor } from './supervisor.ts';

/** Builds of a whole runtime take longer than an hour. */
const TIMEOUT_MS = 4 * 3_600_000;
/** The cause stands at the end of the output; package managers print much before it. */
const MOST_LINES = 12;

/** The user's shell command as a preparation. No process that it starts outlives it. */
export function preparationBy(command: string | undefined): SourcePreparation | undefined {
  return command === undefined ? undefined : { command, run: (...place) => prepareTree(command, ...place) };
}

/** @throws UsageError with its output if it fails or exceeds the time limit */
async function prepareTree(
  command: string,
  label: string,
  cwd: string,
  { env, signal }: Pick<SubjectOptions, 'env' | 'signal'>,
): Promise<void> {
  const supervisor = new Supervisor(env);
  try {
    const [program, ...args] = platform.shell(command);
    const { failure, printed } = await supervisor.run(
      { command: program, args, env: {}, cwd, channel: 'pipe', timeoutMs: TIMEOUT_MS },
      signal,
    );
    // Build tools can leave servers, which have ended by now.
    if (failure === undefined || failure.kind === 'left processes') return;
    const what =
      failure.kind === 'timeout'
        ? `exceeded the time limit of ${TIMEOUT_MS / 3_600_000} hours`
        : failure.message;
    const output = printed().trim().split('\n').slice(-MOST_LINES).join('\n');
    const problem = `${label}: --prepare "${command}" ${what}; ${output === '' ? 'it printed nothing' : `its last lines:\n${output}`}`;
    throw new UsageError('ERR_BENCH_PREPARE', problem, { option: 'prepare' });
  } finally {
    await supervisor.close();
  }
}
