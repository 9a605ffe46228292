/**
 * The CPUs of a set as `taskset -c` takes it: `0,2-4` has 0, 2, 3 and 4.
 * @returns undefined if the text is no such set
 */
export function cpusOf(cpuSet: string): ReadonlySet<number> | undefined {
  const cpus = new Set<number>();
  for (const part of cpuSet.split(',')) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) > Number(last)) return undefined;
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu);
  }
  return cpus;
}
