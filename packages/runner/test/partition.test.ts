import { describe, expect, it } from 'vitest';
import { estimateCosts } from '../src/shard/cost.ts';
import { partition, type Work } from '../src/shard/partition.ts';

function work(costs: Readonly<Record<string, number>>): Work[] {
  return Object.entries(costs).map(([key, cost]) => ({ key, cost }));
}

/** The cost of each shard. */
function loads(pieces: readonly Work[], count: number): number[] {
  const sums = Array.from({ length: count }, () => 0);
  for (const [at, shard] of partition(pieces, count).entries()) {
    sums[shard - 1] = (sums[shard - 1] ?? 0) + (pieces[at]?.cost ?? 0);
  }
  return sums;
}

describe('a partition', () => {
  it('gives the longest piece first, each to the shard with the least work', () => {
    expect(partition(work({ a: 2, b: 7, c: 5, d: 4, e: 6 }), 2)).toEqual([1, 1, 2, 1, 2]);
    expect(loads(work({ a: 2, b: 7, c: 5, d: 4, e: 6 }), 2)).toEqual([13, 11]);
  });

  it('orders pieces of equal cost by key, and spreads pieces without cost', () => {
    expect(partition(work({ d: 1, b: 1, a: 1, c: 1, e: 1 }), 2)).toEqual([2, 2, 1, 1, 1]);
    expect(partition(work({ a: 0, b: 0, c: 0 }), 3)).toEqual([1, 2, 3]);
  });

  it('does not depend on the order of the work', () => {
    const pieces = Array.from({ length: 100 }, (_, at) => ({ key: `k${at}`, cost: (at * 37) % 11 }));
    const byKey = (list: readonly Work[]) =>
      new Map(partition(list, 7).map((shard, at) => [list[at]?.key, shard]));
    const turned = pieces.toReversed();
    const mixed = pieces.toSorted((a, b) => ((a.cost * 7) % 5) - ((b.cost * 7) % 5));
    for (const [key, shard] of byKey(pieces)) {
      expect([byKey(turned).get(key), byKey(mixed).get(key)]).toEqual([shard, shard]);
    }
  });

  it('leaves shards empty when there are too few pieces', () => {
    expect(partition(work({ a: 1, b: 2 }), 1_000_000)).toEqual([2, 1]);
    expect(partition([], 3)).toEqual([]);
  });

  it("reaches Graham's bound in his worst case", () => {
    // 9 is possible: 5 4, 5 4, 3 3 3.
    const worst = work({ a: 5, b: 5, c: 4, d: 4, e: 3, f: 3, g: 3 });
    expect(Math.max(...loads(worst, 3))).toBe(Math.round(9 * (4 / 3 - 1 / 9)));
  });
});

describe('the cost of a configuration', () => {
  const costs = [
    { benchmark: 'g/a.js', configuration: { n: 1 }, durationMs: 100 },
    { benchmark: 'g/a.js', configuration: { n: 2 }, durationMs: 300 },
    { benchmark: 'g/b.js', configuration: { n: 1 }, durationMs: 2000 },
  ];
  const estimate = (benchmark: string, n: number) =>
    estimateCosts([{ benchmark, configuration: { n } }], costs)[0];

  it('is the recorded duration', () => {
    expect(estimate('g/a.js', 2)).toBe(300);
  });

  it('is the mean of its benchmark for a new configuration, and the mean of all for a new benchmark', () => {
    expect(estimate('g/a.js', 3)).toBe(200);
    expect(estimate('g/c.js', 1)).toBe(800);
  });

  it('is equal for all without recorded costs', () => {
    const cases = [1, 2].map((n) => ({ benchmark: 'g/a.js', configuration: { n } }));
    expect(estimateCosts(cases, [])).toEqual([1, 1]);
  });
});
