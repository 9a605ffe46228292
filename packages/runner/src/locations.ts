import { lstatSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDirectory } from '@bench-cli/results';
import envPaths from 'env-paths';

/**
 * The directory of fetched runtimes, recorded sessions and compiled code: BENCH_CLI_CACHE, or the usual
 * cache directory of the system.
 */
export function cacheDirectory(): string {
  return process.env['BENCH_CLI_CACHE'] || envPaths('bench-cli', { suffix: '' }).cache;
}

/**
 * A directory below the cache directory for files that are executed. It is created if it is missing. Its real path is used, because
 * another user can own a link on the way, and change it later.
 * @returns undefined if it cannot be created, or if another user could put a file there
 */
export function codeDirectory(...names: readonly string[]): string | undefined {
  const directory = resolve(cacheDirectory(), ...names);
  try {
    makeDirectory(directory, 0o700);
    const path = realpathSync(directory);
    return isPrivate(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

/** Whether only this user and root can add, change or replace files in a directory. */
function isPrivate(directory: string): boolean {
  // Windows has access control lists instead, and its cache directory is in the profile of the user.
  const user = process.getuid?.();
  if (user === undefined) return true;
  const { uid, mode } = lstatSync(directory);
  return uid === user && (mode & othersWrite) === 0 && parentsAreSafe(directory, user);
}

/** The write permissions of the group and of all others. */
const othersWrite = 0o022;
const sticky = 0o1000;

/** Whether no other user can rename the directory or one above it. In a sticky directory, only owners can rename. */
function parentsAreSafe(directory: string, user: number): boolean {
  const parent = dirname(directory);
  // In a container the root can belong to a user who is unknown there.
  if (parent === dirname(parent)) return true;
  const { uid, mode } = lstatSync(parent);
  const isSafe = (uid === user || uid === 0) && ((mode & othersWrite) === 0 || (mode & sticky) !== 0);
  return isSafe && parentsAreSafe(parent, user);
}

/** The path of a file of this package that another process loads. */
export function ownPath(path: string): string {
  return fileURLToPath(ownFile(path));
}

/**
 * The URL of a file of this package that another process loads, such as `process/reaper-process.js`. It must be resolved in
 * this directory, because the bundle is in the corresponding one.
 */
export function ownFile(path: string): URL {
  return new URL(`./${path}`, import.meta.url);
}
