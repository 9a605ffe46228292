import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';

/** Whether a file name is that of a script, not of type declarations. */
export function isScript(name: string): boolean {
  return /(?<!\.d)\.[cm]?[jt]s$/.test(name);
}

/** Whether a path is that of a TypeScript file. */
export function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

/**
 * The entries of a directory by name, except `fixtures`, `node_modules`, names that start with `.` or `_`, and links that lead
 * nowhere, or back to a directory that they are in.
 */
export function publicEntries(directory: string): Dirent[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !/^[._]/.test(name) && name !== 'fixtures' && name !== 'node_modules')
    .filter((entry) => !entry.isSymbolicLink() || leadsOn(join(directory, entry.name), directory))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function leadsOn(link: string, directory: string): boolean {
  try {
    return !`${realpathSync(directory)}${sep}`.startsWith(`${realpathSync(link)}${sep}`);
  } catch {
    return false;
  }
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
