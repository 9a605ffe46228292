import { readCpuSet } from '@bench-cli/benchmarkers/system';
import type { LoadResult } from '@bench-cli/core';
import { caseName } from '@bench-cli/results';
import type { SessionRequest, SessionSettings, SucceededRun } from '@bench-cli/results/recording';
import { cpuSetsOverlap } from '../process/cpu-set.ts';

/** What a run tells about its measurement. */
export interface RunWarning {
  /** Of the warnings with the same subject, only the first is shown. */
  readonly about: string;
  readonly message: string;
}

/** The warnings about one run. In test mode there are none, because its rates mean nothing. */
export function runWarnings(run: SucceededRun, { settings }: SessionRequest): readonly RunWarning[] {
  if (settings.test) return [];
  const warnings: RunWarning[] = [];
  const { load } = run;
  if (load !== undefined && cpuSetsOverlap(settings.cpuSet, settings.loadCpuSet)) {
    const message = `the server and the load tool share CPUs and slow each other down${howMuch(load)}: separate them with --set CPUSET=0 --set LOADCPUSET=1`;
    warnings.push({ about: 'CPUs of the load', message });
  }
  return [...warnings, ...sharedWithCompiler(run, settings), ...tooShort(run)];
}

/** A run that measures less is short: most of what is compiled is compiled at the beginning. Seconds. */
const shortSeconds = 1;

/** A job with a single CPU executes, compiles and collects garbage by turns, where other runs have CPUs for all three. */
function sharedWithCompiler(run: SucceededRun, { jobs }: SessionSettings): readonly RunWarning[] {
  if (jobs === undefined || Number(run.time) >= shortSeconds) return [];
  if (!jobs.some((cpus) => readCpuSet(cpus)?.size === 1)) return [];
  const message =
    'a job with one CPU also compiles and collects garbage there during these short runs: verdicts can differ from those of ' +
    'one run at a time, even in their direction. Use --jobs auto, or leave it out';
  return [{ about: 'CPUs of the jobs', message }];
}

function howMuch({ benchmarker, usage }: LoadResult): string {
  if (usage?.server == null) return '';
  const { tool, server, idleSeconds, seconds } = usage;
  const [used, served, idle] = [tool.cpuSeconds, server.cpuSeconds, idleSeconds].map((it) =>
    (it / seconds).toFixed(1),
  );
  return ` (${benchmarker} used ${used} CPUs, the server ${served}, and ${idle} were idle)`;
}

function tooShort(run: SucceededRun): readonly RunWarning[] {
  if (run.clockStepNs === undefined) return [];
  const measured = `${Number((Number(run.time) * 1e6).toPrecision(3))} µs`;
  const message = `${caseName(run)}: start() to end() took ${measured}, which is too short: fewer than 1000 steps of the clock, of ${run.clockStepNs} ns each. Execute more operations between them, or let --calibrate find the number`;
  return [{ about: run.benchmark, message }];
}
