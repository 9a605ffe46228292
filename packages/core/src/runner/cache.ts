import envPaths from 'env-paths';

/** Where fetched runtimes and the records of sessions are kept: BENCH_CLI_CACHE, or the usual place of the system. */
export function cacheDirectory(): string {
  return process.env['BENCH_CLI_CACHE'] || envPaths('bench-cli', { suffix: '' }).cache;
}
