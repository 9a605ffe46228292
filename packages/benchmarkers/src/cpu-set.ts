/** How many CPUs a set names: `0,2-4` has 4. */
export function cpuCount(cpuSet: string): number {
  const cpus = cpuSet.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  });
  return Math.max(1, new Set(cpus).size);
}
