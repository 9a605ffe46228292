import { statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/**
 * Finds a program as a shell does.
 * @param name a name to look up on the PATH, or a path
 * @returns its path, and whether it may be executed; undefined if there is no such file
 */
export async function findProgram(name: string) {
  const { default: which } = await import('which');
  const executable = await which(name, { nothrow: true });
  if (executable !== null) return { path: resolve(executable), executable: true };
  const directories = /[\\/]/.test(name) ? ['.'] : (process.env['PATH'] ?? '').split(delimiter);
  const path = directories.map((directory) => resolve(directory, name)).find(isFile);
  return path === undefined ? undefined : { path, executable: false };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
