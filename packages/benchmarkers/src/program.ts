import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, resolve } from 'node:path';

/** Where a program is, as a shell would look for it. */
export type ProgramLookup =
  | { readonly found: 'executable' | 'not executable'; readonly path: string }
  | { readonly found: 'nothing' };

/** @param name a name to look for on the PATH, or a path */
export function findProgram(name: string): ProgramLookup {
  const candidates = (
    /[\\/]/.test(name)
      ? [resolve(name)]
      : (process.env['PATH'] ?? '')
          .split(delimiter)
          .filter((directory) => directory !== '')
          .flatMap((directory) => extensions().map((extension) => resolve(directory, name + extension)))
  ).filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  const path = candidates.find(isExecutable);
  if (path !== undefined) return { found: 'executable', path };
  const [first] = candidates;
  return first === undefined ? { found: 'nothing' } : { found: 'not executable', path: first };
}

function extensions(): readonly string[] {
  return process.platform === 'win32' ? ['.exe', ''] : [''];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
