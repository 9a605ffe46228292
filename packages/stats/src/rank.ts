import type { RatePair } from '@bench-cli/results';

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

/** The rank statistic of two samples. */
export interface RankSum extends Pick<Ranking, 'tieSizes'> {
  readonly runs: number;
  /** Old runs times new runs. */
  readonly pairs: number;
  /** The number of pairs in which the new run is faster; ties count half. */
  readonly w: number;
  /** The variance of `w` if the subjects do not differ. */
  readonly variance: number;
}

export function rankSum({ old, new: new_ }: RatePair): RankSum {
  const { ranks, tieSizes } = midranks([...Array.from(new_), ...Array.from(old)]);
  const runs = ranks.length;
  const pairs = old.length * new_.length;
  const sum = ranks.subarray(0, new_.length).reduce((total, rank) => total + rank, 0);
  // The sum of t^3 - t over the ties reduces the variance.
  const ties = tieSizes.reduce((total, size) => total + size ** 3 - size, 0);
  return {
    runs,
    pairs,
    tieSizes,
    w: sum - (new_.length * (new_.length + 1)) / 2,
    variance: (pairs / 12) * (runs + 1 - ties / (runs * (runs - 1))),
  };
}
