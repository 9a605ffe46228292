import { join } from 'node:path';
import { readCpuSet } from './cpu-set.ts';
import { allowedCpus } from './cpu-time.ts';
import { readSystemFile, systemRoots } from './linux.ts';

/** The CPUs that this process may use; empty if that is unknown, as on other systems than Linux. */
export function ownCpus(): ReadonlySet<number> {
  return allowedCpus(process.pid);
}

/**
 * The CPUs of each physical core, in ascending order. Hyper-threads share a core; a CPU whose core is unknown has one of its own.
 * @param cpus the CPUs to consider
 * @param root where Linux describes CPUs
 */
export function physicalCores(
  cpus: ReadonlySet<number>,
  root = `${systemRoots.sys}/devices/system/cpu`,
): readonly (readonly number[])[] {
  const cores = new Map<number, readonly number[]>();
  for (const cpu of [...cpus].sort((a, b) => a - b)) {
    const siblings = [...siblingsOf(cpu, root).intersection(cpus)].sort((a, b) => a - b);
    cores.set(siblings[0] ?? cpu, siblings);
  }
  return [...cores.values()];
}

function siblingsOf(cpu: number, root: string): ReadonlySet<number> {
  // Older kernels have only the second name, and other systems neither.
  for (const name of ['core_cpus_list', 'thread_siblings_list']) {
    const path = join(root, `cpu${cpu}`, 'topology', name);
    const siblings = readCpuSet(readSystemFile(path).trim());
    if (siblings?.has(cpu)) return siblings;
  }
  return new Set([cpu]);
}
