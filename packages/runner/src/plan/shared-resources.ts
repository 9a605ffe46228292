import { readFileSync } from 'node:fs';
import { UsageError } from '@bench-cli/results';
import type { BenchmarkFile } from '@bench-cli/results/recording';

/** Signs in the source of a benchmark that it uses what only one process at a time can have. */
const signs: readonly { readonly pattern: RegExp; readonly what: string }[] = [
  { pattern: /\.http\s*\(/, what: 'loads an HTTP server, whose load tool needs CPUs of its own' },
  { pattern: /\bPORT\b/, what: 'uses a fixed port (PORT)' },
  { pattern: /\.listen\s*\(\s*(?:\{\s*port:\s*)?[1-9]\d*/, what: 'listens on a fixed port' },
];

/**
 * Refuses to measure benchmarks at the same time if one of them loads an HTTP server or uses a fixed port. Only the file itself is
 * searched, not what it imports.
 * @throws UsageError
 */
export function checkConcurrent(files: readonly BenchmarkFile[]): void {
  for (const { name, path, command } of files) {
    if (command !== undefined) throw notConcurrent(name, 'is a whole command, which can use all CPUs');
    const source = readFileSync(path, 'utf8');
    const sign = signs.find(({ pattern }) => pattern.test(source));
    if (sign !== undefined) throw notConcurrent(name, sign.what);
  }
}

/** @param what why, with the benchmark as the subject of the sentence */
export function notConcurrent(benchmark: string, what: string): UsageError {
  return new UsageError(
    'ERR_BENCH_JOBS',
    `${benchmark} ${what}, so it cannot run at the same time as another benchmark: remove --jobs, or leave it out with --exclude ${benchmark}`,
  );
}
