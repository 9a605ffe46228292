import { accessSync, constants, realpathSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { checkTrusted, makeDirectory, UsageError } from '@bench-cli/results';
import { orElse } from '@bench-cli/system';
import envPaths from 'env-paths';

/**
 * The directory of fetched runtimes, recorded sessions and compiled code: BENCH_CLI_CACHE, or the usual
 * cache directory of the system.
 * @throws UsageError if that is relative, since it would be in the working directory
 */
export function cacheDirectory(): string {
  const given = process.env['BENCH_CLI_CACHE'];
  const directory = given || envPaths('bench-cli', { suffix: '' }).cache;
  if (given || isAbsolute(directory)) return directory;
  const problem = `the cache directory ${directory} is relative: set HOME, and XDG_CACHE_HOME if it is used, to an absolute path, or set BENCH_CLI_CACHE`;
  throw new UsageError('ERR_BENCH_CACHE', problem);
}

/**
 * A directory below the cache directory for files that are executed. It is created if it is missing. Its real
 * path is used, because another user can own a link on the way, and change it later.
 * @returns undefined if it cannot be created or written, or if another user could put a file there
 */
export function codeDirectory(...names: readonly string[]): string | undefined {
  return orElse(() => trustedDirectory(...names), undefined);
}

/** @throws an error that says why files that are executed cannot be kept there */
export function trustedDirectory(...names: readonly string[]): string {
  const directory = resolve(cacheDirectory(), ...names);
  makeDirectory(directory, 0o700);
  const path = realpathSync(directory);
  checkTrusted(path, process.env);
  accessSync(path, constants.W_OK);
  return path;
}
