import { type Dirent, readdirSync, statSync } from 'node:fs';

/** Whether a name is that of a script. */
export function isScript(name: string): boolean {
  return /(?<!\.d)\.[cm]?[jt]s$/.test(name);
}

/**
 * What a directory of benchmarks holds, by name, without what is no benchmark by its name: what starts with `.` or
 * `_`, and `fixtures` and `node_modules`.
 */
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
