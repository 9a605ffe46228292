import envPaths from 'env-paths';

/** Where fetched runtimes, the records of sessions, and stripped TypeScript are kept: BENCH_CLI_CACHE, or the usual place of the system. */
export function cacheDirectory(): string {
  return process.env['BENCH_CLI_CACHE'] || envPaths('bench-cli', { suffix: '' }).cache;
}
