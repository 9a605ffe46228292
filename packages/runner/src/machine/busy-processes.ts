import { type ProcessList, platform } from '@bench-cli/benchmarkers/system';

/** CPU seconds of each process so far, by its id. */
export function processSeconds({ ids, statusOf }: ProcessList = platform.processes()) {
  return new Map(ids.map((pid) => [pid, statusOf(pid)?.cpuSeconds ?? 0]));
}

/** The other processes that used more than a twentieth of a CPU on average since then, the busiest first. */
export function busyProcesses(since: ReadonlyMap<number, number>, seconds: number) {
  const list = platform.processes();
  return [...processSeconds(list)]
    .map(([pid, used]) => ({ pid, cpus: (used - (since.get(pid) ?? 0)) / seconds }))
    .filter(
      ({ pid, cpus }) => cpus > 0.05 && pid !== process.pid && list.statusOf(pid)?.parent !== process.pid,
    )
    .sort((a, b) => b.cpus - a.cpus)
    .map(({ pid, cpus }) => ({ pid, program: list.programOf(pid), cpus }));
}
