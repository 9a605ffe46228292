import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { UsageError } from '@bench-cli/results';
import { orElse } from '@bench-cli/system';

export function isScript(name: string): boolean {
  return /(?<!\.d)\.[cm]?[jt]s$/.test(name);
}

export function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

/**
 * The names of what a directory has, sorted, except `fixtures`, `node_modules`, names that start with `.` or
 * `_`, and links that lead nowhere, or back to a directory that they are in.
 * @throws UsageError as `isText`
 */
export function publicNames(directory: string): readonly string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !/^[._]/.test(name) && name !== 'fixtures' && name !== 'node_modules')
    .filter((entry) => !entry.isSymbolicLink() || leadsOn(join(directory, entry.name), directory))
    .map(({ name }) => name)
    .filter((name) => isText(name, directory))
    .sort();
}

/** @throws UsageError for a script whose name is not UTF-8, which no process could be given */
function isText(name: string, directory: string): boolean {
  const path = join(directory, name);
  if (!name.includes('\ufffd') || lstatSync(path, { throwIfNoEntry: false }) !== undefined) return true;
  if (!isScript(name)) return false;
  const problem = `the name of ${path} is not UTF-8: rename the file, or begin its name with _ if it is not a benchmark`;
  throw new UsageError('ERR_BENCH_SELECTION', problem);
}

function leadsOn(link: string, directory: string): boolean {
  return orElse(() => !`${realpathSync(directory)}${sep}`.startsWith(`${realpathSync(link)}${sep}`), false);
}
