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
