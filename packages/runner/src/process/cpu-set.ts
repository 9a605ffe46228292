import { readCpuSet } from '@bench-cli/benchmarkers/system';

/** Whether two sets have a CPU in common. Without a set, a process may run on all CPUs. */
export function cpuSetsOverlap(one: string | undefined, other: string | undefined): boolean {
  const cpus = one === undefined ? undefined : readCpuSet(one);
  const others = other === undefined ? undefined : readCpuSet(other);
  return cpus === undefined || others === undefined || !cpus.isDisjointFrom(others);
}
