import { type Dirent, readdirSync, statSync } from 'node:fs';

/** Whether a file name is that of a script, not of type declarations. */
export function isScript(name: string): boolean {
  return /(?<!\.d)\.[cm]?[jt]s$/.test(name);
}

/** The entries of a directory by name, except `fixtures`, `node_modules`, and names that start with `.` or `_`. */
export function publicEntries(directory: string): Dirent[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !/^[._]/.test(name) && name !== 'fixtures' && name !== 'node_modules')
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
