import { benchCli } from '../../../test/support/command.ts';

/** The document of `run --format json`, with the exit code and what was written to standard error. */
export async function runJson(cwd: string, ...args: readonly string[]) {
  const { stdout, stderr, exitCode } = await benchCli(['run', '--format', 'json', ...args], { cwd });
  return { ...JSON.parse(stdout), stderr, exitCode };
}
