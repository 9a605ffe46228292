/** Something to be done, and how long it takes, in any unit. */
export interface Work {
  /** Tells it apart, and orders what takes equally long. */
  readonly key: string;
  readonly cost: number;
}

/**
 * Divides work among shards so that the longest part is short: each piece, the longest first, goes to the shard that has
 * the least so far. It depends on nothing but the work, whatever its order, so that machines which do not talk to each
 * other come to the same.
 *
 * Method: longest processing time first; the longest part is at most 4/3 - 1/(3 count) times the shortest possible.
 * Source: R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17 (1969).
 *
 * @returns the shard of each piece, from 1
 */
export function partition(work: readonly Work[], count: number): number[] {
  // Shards beyond the number of pieces get nothing.
  const loads = Array.from({ length: Math.min(count, work.length) }, (_, at) => ({
    shard: at + 1,
    cost: 0,
    pieces: 0,
  }));
  const shards = work.map(() => 0);
  const longestFirst = [...work.entries()].sort(
    ([, a], [, b]) => b.cost - a.cost || (a.key < b.key ? -1 : 1),
  );
  for (const [at, { cost }] of longestFirst) {
    // Pieces that cost nothing are spread, too.
    const least = loads.reduce((a, b) => ((b.cost - a.cost || b.pieces - a.pieces) < 0 ? b : a));
    least.cost += cost;
    least.pieces++;
    shards[at] = least.shard;
  }
  return shards;
}
