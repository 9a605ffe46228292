import envPaths from 'env-paths';

/**
 * The directory of fetched runtimes, recorded sessions and stripped TypeScript: BENCH_CLI_CACHE, or the usual cache
 * directory of the system.
 */
export function cacheDirectory(): string {
  return process.env['BENCH_CLI_CACHE'] || envPaths('bench-cli', { suffix: '' }).cache;
}

/**
 * The URL of a file of this package that another process loads, such as `process/reaper-process.js`. It must be resolved in
 * this directory, because the bundle is in the corresponding one.
 */
export function ownFile(path: string): URL {
  return new URL(`./${path}`, import.meta.url);
}
