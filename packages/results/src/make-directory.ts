import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Recursive `mkdir` never returns on file systems that reject all new names, such as /proc. */
export function makeDirectory(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectory(parent, mode);
  try {
    mkdirSync(path, mode);
  } catch (error) {
    // Another process may have created it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
