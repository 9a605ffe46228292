/** CPUs from one number to another. */
interface CpuRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The ranges of a set of CPUs that is written as `taskset -c` takes it: `0`, `0-2`, `0,2-4`.
 * @returns undefined if the text is no such set
 */
export function readCpuSet(text: string): readonly CpuRange[] | undefined {
  const ranges: CpuRange[] = [];
  for (const part of text.split(',')) {
    const [, first, last = first] = /^(\d{1,4})(?:-(\d{1,4}))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) > Number(last)) return undefined;
    ranges.push({ first: Number(first), last: Number(last) });
  }
  return ranges;
}

/** Whether two sets have a CPU in common. What has no set may run on all CPUs. */
export function cpuSetsOverlap(one: string | undefined, other: string | undefined): boolean {
  const others = rangesOf(other);
  return rangesOf(one).some((range) =>
    others.some(({ first, last }) => range.first <= last && first <= range.last),
  );
}

function rangesOf(set: string | undefined): readonly CpuRange[] {
  const ranges = set === undefined ? undefined : readCpuSet(set);
  return ranges ?? [{ first: 0, last: Number.POSITIVE_INFINITY }];
}
