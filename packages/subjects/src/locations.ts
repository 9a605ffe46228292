import { accessSync, constants, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkTrusted, makeDirectory } from '@bench-cli/results';
import { orElse } from '@bench-cli/system';
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
