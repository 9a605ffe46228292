/** A piece of work and its cost, in any unit. */
export interface Work {
  /** Identifies it, and orders pieces of equal cost. */
  readonly key: string;
  readonly cost: number;
}

/**
 * Divides work among shards so that the longest shard is short: each piece, the longest first, goes to the shard with the
 * least work so far. The result depends only on the work, not on its order, so that machines need not communicate.
 *
 * Method: longest processing time first; the longest part is at most 4/3 - 1/(3 count) times the shortest possible.
 * Source: R. L. Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17 (1969).
 *
 * @returns the shard of each piece, from 1
 */
export function partition(work: readonly Work[], count: number): number[] {
  // More shards than pieces would stay empty.
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
    // Among equal loads the number of pieces decides, so that pieces without cost are spread.
    const least = loads.reduce((a, b) => ((b.cost - a.cost || b.pieces - a.pieces) < 0 ? b : a));
    least.cost += cost;
    least.pieces++;
    shards[at] = least.shard;
  }
  return shards;
}
