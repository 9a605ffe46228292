import { UsageError } from '@bench-cli/results';
import { execa } from 'execa';

/** Variables that would direct git to another repository, as they do in a hook. */
const inherited = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_COMMON_DIR'];

/**
 * Runs git without optional locks, so that nothing changes in the repository.
 * @returns what it printed; undefined if it failed
 * @throws UsageError if git is missing
 */
export async function git(cwd: string, args: readonly string[]): Promise<string | undefined> {
  const { failed, code, stdout } = await runGit(cwd, args);
  if (code !== 'ENOENT') return failed ? undefined : stdout;
  throw new UsageError('ERR_BENCH_GIT', 'git is not on the PATH: install it');
}

/** @throws UsageError with what git printed if it fails */
export async function gitOrFail(cwd: string, args: readonly string[]): Promise<string> {
  const { failed, stdout, stderr } = await runGit(cwd, args);
  if (!failed) return stdout;
  throw new UsageError('ERR_BENCH_GIT', `git ${args[0]} failed in ${cwd}: ${stderr.trim()}; try again`);
}

function runGit(cwd: string, args: readonly string[]) {
  const cleared = Object.fromEntries(inherited.map((name) => [name, undefined]));
  return execa('git', ['--no-optional-locks', ...args], {
    cwd,
    reject: false,
    env: cleared,
    stdin: 'ignore',
    maxBuffer: 1 << 30,
  });
}
