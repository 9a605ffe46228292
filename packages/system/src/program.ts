import type { SpawnSyncOptionsWithStringEncoding, SpawnSyncReturns } from 'node:child_process';
import { delimiter, resolve } from 'node:path';
import { isFile } from './path-kind.ts';

/**
 * Finds a program as a shell does.
 * @param name a name to look up on the PATH, or a path
 * @param cwd the base of a relative path
 * @returns the path, and whether it may be executed; undefined without such a file
 */
export async function findProgram(
  name: string,
  cwd: string = process.cwd(),
  env: NodeJS.ProcessEnv = process.env,
) {
  const { default: which } = await import('which');
  const isPath = /[\\/]/.test(name);
  const path = env['PATH'] ?? '';
  const executable = await which(isPath ? resolve(cwd, name) : name, { nothrow: true, path });
  if (executable !== null) return { path: resolve(cwd, executable), executable: true };
  const directories = isPath ? ['.'] : path.split(delimiter);
  const file = directories.map((directory) => resolve(cwd, directory, name)).find(isFile);
  return file === undefined ? undefined : { path: file, executable: false };
}

/** Milliseconds until a program must have answered that usually takes a few. */
const ANSWER_MS = 5000;
/** Programs that hung. They are not waited for a second time. */
const hung = new Set<string>();

/**
 * Starts a program that answers at once. This process handles no signal meanwhile, so a program that hangs is
 * killed: its status is then null, and the code of its error ETIMEDOUT.
 */
export function askProgram(
  program: string,
  args: readonly string[],
  options: SpawnSyncOptionsWithStringEncoding,
): SpawnSyncReturns<string> {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const timeout = hung.has(program) ? 1 : ANSWER_MS;
  const result = spawnSync(program, args, { timeout, killSignal: 'SIGKILL', ...options });
  if (Object(result.error).code === 'ETIMEDOUT') hung.add(program);
  return result;
}
