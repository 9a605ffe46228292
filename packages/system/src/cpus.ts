import { readProcFile, readSystemFile, systemRoots } from './linux.ts';

/** A set in the notation of `taskset -c`: `0,2-4` has 0, 2, 3 and 4. @returns undefined for an invalid one */
export function readCpuSet(text: string): ReadonlySet<number> | undefined {
  const cpus = new Set<number>();
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) > Number(last)) return undefined;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu);
  }
  return cpus;
}

/** Why a text is not a valid set of CPUs of this machine; undefined if valid. */
export function cpuSetProblem(text: string): string | undefined {
  const cpus = readCpuSet(text);
  if (cpus === undefined) return 'write CPUs as taskset does, such as 0, 0-2 or 0,2-4';
  const online = readSystemFile('/sys/devices/system/cpu/online').trim();
  const [missing] = online === '' ? [] : cpus.difference(readCpuSet(online) ?? new Set());
  return missing === undefined ? undefined : `this machine has no CPU ${missing}, only ${online}`;
}

/** The CPUs that a process may use, by default this one; empty if unknown, as on other systems than Linux. */
export function allowedCpus(pid: number = process.pid): ReadonlySet<number> {
  const [, set = ''] = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readProcFile(pid, 'status')) ?? [];
  return readCpuSet(set) ?? new Set();
}

/**
 * The CPUs of each physical core, in ascending order. Hyper-threads share a core. An unknown core has one
 * CPU.
 */
export function physicalCores(cpus: ReadonlySet<number>): readonly (readonly number[])[] {
  const cores = new Map<number, readonly number[]>();
  for (const cpu of [...cpus].sort((a, b) => a - b)) {
    const siblings = [...siblingsOf(cpu).intersection(cpus)].sort((a, b) => a - b);
    cores.set(siblings[0] ?? cpu, siblings);
  }
  return [...cores.values()];
}

function siblingsOf(cpu: number): ReadonlySet<number> {
  // Older kernels have only the second name, and other systems neither.
  for (const name of ['core_cpus_list', 'thread_siblings_list']) {
    const path = `${systemRoots.sys}/devices/system/cpu/cpu${cpu}/topology/${name}`;
    const siblings = readCpuSet(readSystemFile(path).trim());
    if (siblings?.has(cpu)) return siblings;
  }
  return new Set([cpu]);
}
