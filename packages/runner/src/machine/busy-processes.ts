import { cpuSecondsIn, processIds, programOf, readProcFile } from '@bench-cli/benchmarkers/system';

/** CPU seconds of each process so far, by its id. Linux only. */
export function processSeconds(): ReadonlyMap<number, number> {
  return new Map(processIds().map((pid) => [pid, cpuSecondsIn(readProcFile(pid, 'stat'))]));
}

/** The other processes that used more than a twentieth of a CPU on average since then, the busiest first. */
export function busyProcesses(since: ReadonlyMap<number, number>, seconds: number) {
  return [...processSeconds()]
    .map(([pid, used]) => ({ pid, cpus: (used - (since.get(pid) ?? 0)) / seconds }))
    .filter(({ pid, cpus }) => pid !== process.pid && cpus > 0.05)
    .sort((a, b) => b.cpus - a.cpus)
    .map(({ pid, cpus }) => ({ pid, program: programOf(pid), cpus }));
}
