import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

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

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
