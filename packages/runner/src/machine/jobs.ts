import { UsageError } from '@bench-cli/results';
import type { BenchmarkFile, RunRecord } from '@bench-cli/results/recording';
import { allowedCpus, physicalCores, platform, readCpuSet } from '@bench-cli/system';
import { quote } from 'shlex';

/** How many cases are measured at the same time; `auto` for as many as get two CPUs each. */
export type Jobs = number | 'auto';

/** CPUs of a job of `auto`: one for the benchmark, and one for its compiler and its garbage collection. */
const cpusOfJob = 2;

/**
 * The CPUs of each job: whole physical cores, with all their hyper-threads. If there are more than two cores,
 * the first is left for the runner and the system; the others are divided evenly. `auto` makes as many jobs
 * as get two CPUs each.
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
    const problem = `--jobs ${jobs} requires Linux: leave it out`;
    throw new UsageError('ERR_BENCH_PLATFORM', problem, { option: 'jobs' });
  }
  const free = cores.length > 2 ? cores.slice(1) : cores;
  const threads = Math.min(cpusOfJob, ...free.map((cpus) => cpus.length));
  const count = jobs === 'auto' ? Math.floor(free.length / Math.ceil(cpusOfJob / threads)) : jobs;
  if (count > free.length) {
    const left = cores.length > free.length ? ', of which one is left for bench-cli' : '';
    const where = cpuSet === undefined ? 'this machine offers' : `CPUSET=${cpuSet} has`;
    const problem = `--jobs ${jobs} needs a core for each: ${where} ${cores.length}${left}: use --jobs ${Math.max(1, free.length)} or --jobs auto`;
    throw new UsageError('ERR_BENCH_JOBS', problem, { option: 'jobs' });
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
  const allowed = allowedCpus();
  return physicalCores(wanted === undefined ? allowed : allowed.intersection(wanted));
}

/** Refuses to measure whole commands at the same time. @throws UsageError */
export function checkFiles(files: readonly BenchmarkFile[]): void {
  const program = files.find(({ command }) => command !== undefined);
  if (program !== undefined) throw notConcurrent(program.name, 'is a whole command, which can use all CPUs');
}

/** @throws UsageError if a run has loaded a server, or failed because a port was in use */
export function checkConcurrent(runs: readonly RunRecord[]): void {
  for (const run of runs) {
    if (run.status === 'ok' && run.load !== undefined)
      throw notConcurrent(run.benchmark, 'loads an HTTP server, whose load tool needs CPUs of its own');
    if (run.status === 'failed' && `${run.failure.message} ${run.failure.output}`.includes('EADDRINUSE'))
      throw notConcurrent(run.benchmark, 'found its port in use (EADDRINUSE)');
  }
}

/** @param reason the rest of a sentence that begins with the benchmark */
function notConcurrent(benchmark: string, reason: string): UsageError {
  const problem = `${benchmark} ${reason}, so it cannot run at the same time as another benchmark: remove --jobs, or leave it out with --exclude ${quote(benchmark)}`;
  return new UsageError('ERR_BENCH_JOBS', problem);
}
