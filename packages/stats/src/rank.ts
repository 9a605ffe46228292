/** The ranks of values, from 1; equal values have the mean of their ranks. */
export interface Ranking {
  readonly ranks: Float64Array;
  /** For each rank that several values share, the number of these values. */
  readonly tieSizes: readonly number[];
}

export function midranks(values: readonly number[]): Ranking {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  const tieSizes: number[] = [];
  for (let start = 0; start < order.length; ) {
    const value = values[order[start] ?? 0];
    let end = start + 1;
    while (end < order.length && values[order[end] ?? 0] === value) end++;
    for (const index of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
    if (end - start > 1) tieSizes.push(end - start);
    start = end;
  }
  return { ranks, tieSizes };
}

/** The sum of t^3 - t over the ties, which reduces the variances of rank statistics. */
export function tieTerm(tieSizes: readonly number[]): number {
  return tieSizes.reduce((sum, size) => sum + size ** 3 - size, 0);
}
