import { readFileSync } from 'node:fs';
import { orElse } from './or-else.ts';

/**
 * The CPUs of a set in the notation of `taskset -c`: `0,2-4` contains 0, 2, 3 and 4.
 * @returns undefined if the text is not a valid set
 */
export function readCpuSet(text: string): ReadonlySet<number> | undefined {
  const cpus = new Set<number>();
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) > Number(last)) return undefined;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu);
  }
  return cpus;
}

/** What is wrong with a text as a set of CPUs of this machine; undefined if nothing is. */
export function cpuSetProblem(text: string): string | undefined {
  const cpus = readCpuSet(text);
  if (cpus === undefined) return 'write CPUs as taskset does, such as 0, 0-2 or 0,2-4';
  const online = orElse(() => readFileSync('/sys/devices/system/cpu/online', 'latin1').trim(), undefined);
  const [missing] = online === undefined ? [] : cpus.difference(readCpuSet(online) ?? new Set());
  return missing === undefined ? undefined : `this machine has no CPU ${missing}, only ${online}`;
}
