import { readFileSync } from 'node:fs';
import { UsageError } from '@bench-cli/results';
import type { BenchmarkFile } from '@bench-cli/results/recording';
import { ownCpus, physicalCores, platform, readCpuSet } from '@bench-cli/system';

/** How many cases are measured at the same time; `auto` for as many as get two CPUs each. */
export type Jobs = number | 'auto';

/** CPUs of a job of `auto`: one for the benchmark, and one on which its runtime compiles and collects garbage meanwhile. */
const cpusOfJob = 2;

/**
 * The CPUs of each job: whole physical cores, with all their hyper-threads. If there are more than two cores, the first is left for the
 * runner and the system; the others are divided evenly. `auto` makes as many jobs as get two CPUs each.
 * @param cpuSet the CPUs to use, of those that this process may use. Default: all of them.
 * @returns undefined for a single job, which is not bound to cores
 * @throws UsageError if there are fewer cores than jobs, or if the system cannot bind processes to CPUs
 */
export function jobSets(
  jobs: Jobs,
  cpuSet: string | undefined,
  cores: readonly (readonly number[])[] = usableCores(cpuSet),
): readonly string[] | undefined {
  if (jobs === 1) return undefined;
  if (platform.bind === undefined && jobs !== 'auto') {
    throw new UsageError('ERR_BENCH_PLATFORM', `--jobs ${jobs} requires Linux: leave it out`);
  }
  const free = cores.length > 2 ? cores.slice(1) : cores;
  const threads = Math.min(cpusOfJob, ...free.map((cpus) => cpus.length));
  const count = jobs === 'auto' ? Math.floor(free.length / Math.ceil(cpusOfJob / threads)) : jobs;
  if (count > free.length) {
    const left = cores.length > free.length ? ', of which one is left for bench-cli' : '';
    const where = cpuSet === undefined ? 'this machine offers' : `CPUSET=${cpuSet} has`;
    throw new UsageError(
      'ERR_BENCH_JOBS',
      `--jobs ${jobs} needs a core for each: ${where} ${cores.length}${left}: use --jobs ${Math.max(1, free.length)} or --jobs auto`,
    );
  }
  if (count < 2) return undefined;
  const each = Math.floor(free.length / count);
  return Array.from({ length: count }, (_, job) =>
    free
      .slice(job * each, (job + 1) * each)
      .flat()
      .join(','),
  );
}

function usableCores(cpuSet: string | undefined): readonly (readonly number[])[] {
  const wanted = cpuSet === undefined ? undefined : readCpuSet(cpuSet);
  const own = ownCpus();
  return physicalCores(wanted === undefined ? own : own.intersection(wanted));
}

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
