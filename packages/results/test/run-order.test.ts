import { byPlan, drawnOrder, type RunRecord, subjectOrders } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { run as recordedRun } from '../../../test/support/recording.ts';

const of = { benchmark: 'g/b.ts', configuration: { n: 1 } };
const cases = Array.from({ length: 7000 }, (_, n) => ({ ...of, configuration: { n } }));

function ordersOf(names: string, seed: number, each = of, rounds = 36): string[] {
  const orderIn = subjectOrders([...names], seed, each);
  return Array.from({ length: rounds }, (_, round) => orderIn(round).join(''));
}

describe('the order of subjects', () => {
  it.each(['a', 'ab', 'abc', 'abcd', 'abcdefg'])(
    'gives each of %s each place equally often, in each block of four rounds for each',
    (names) => {
      const size = 4 * names.length;
      const orders = ordersOf(names, 1, of, 3 * size);
      for (const start of [0, size, 2 * size]) {
        const block = orders.slice(start, start + size);
        for (const at of names.split('').keys()) {
          const there = block.map((order) => order[at]).sort();
          expect(there.join('')).toBe(names.replace(/./g, '$&$&$&$&'));
        }
      }
    },
  );

  it('puts each subject before each other one as often as after it', () => {
    const block = ordersOf('abcde', 1, of, 20);
    for (const [a, b] of ['ab', 'ad', 'ec', 'be']) {
      expect(block.filter((order) => order.indexOf(`${a}`) < order.indexOf(`${b}`))).toHaveLength(10);
    }
  });

  it('depends on nothing but the seed, the case, the round and the number of subjects', () => {
    const orders = ordersOf('ab', 7);
    expect(ordersOf('ab', 7)).toEqual(orders);
    expect(ordersOf('xy', 7).map((order) => order.replace('x', 'a').replace('y', 'b'))).toEqual(orders);
    const orderIn = subjectOrders(['a', 'b'], 7, of);
    expect(orderIn(35).join('')).toBe(orders[35]);
    for (const other of [
      ordersOf('ab', 8),
      ordersOf('ab', 7, { ...of, benchmark: 'g/c.ts' }),
      ordersOf('ab', 7, { ...of, configuration: { n: 2 } }),
    ])
      expect(other).not.toEqual(orders);
  });

  it.each([0, 1, 2 ** 32 - 1])('has no rhythm over rounds or cases, with the seed %d', (seed) => {
    const all = cases.map((each) => ordersOf('ab', seed, each, 16));
    // The standard error of these counts is at most 42.
    const expectShare = (share: number, isMeant: (orders: readonly string[], at: number) => boolean) =>
      expect(Math.abs(all.filter(isMeant).length - share * all.length)).toBeLessThan(4.5 * 42);
    for (const round of all[0]?.keys() ?? []) expectShare(1 / 2, (orders) => orders[round] === 'ab');
    for (const lag of [1, 2, 4]) expectShare(3 / 7, (orders) => orders[0] === orders[lag]);
    for (const lag of [8, 11]) expectShare(1 / 2, (orders) => orders[0] === orders[lag]);
    expectShare(1 / 2, (orders, at) => orders[0] === all[at - 1]?.[0]);
    const blocks = new Set(all.map((orders) => orders.slice(0, 8).join()));
    expect(blocks.size).toBe(70);
  });

  it('has all orders of four subjects equally often', () => {
    const first = cases.map((each) => ordersOf('abcd', 1, each, 1).join());
    const counts = [...Map.groupBy(first, (order) => order).values()].map(({ length }) => length);
    expect(counts).toHaveLength(24);
    // The standard error of each count is 17.
    for (const count of counts) expect(Math.abs(count - cases.length / 24)).toBeLessThan(4.5 * 17);
  });
});

describe('the order of cases', () => {
  const few = cases.slice(0, 4);
  const namesIn = (round: number, seed = 1, of = few) =>
    drawnOrder(of, seed, () => round).map(({ configuration }) => configuration.n);

  it('depends on nothing but the seed and the round, so that shards, lanes and later parts of a session agree', () => {
    const whole = namesIn(3);
    expect(namesIn(3, 1, few.toReversed())).toEqual(whole);
    expect(namesIn(3, 1, few.slice(1))).toEqual(whole.filter((n) => n > 0));
    const rounds = Array.from({ length: 20 }, (_, round) => namesIn(round).join());
    expect(new Set(rounds).size).toBeGreaterThan(10);
    expect(Array.from({ length: 20 }, (_, round) => namesIn(round, 2).join())).not.toEqual(rounds);
    // Another seed between, and other objects for the same cases, change nothing.
    expect(
      namesIn(
        3,
        1,
        few.map((each) => ({ ...each })),
      ),
    ).toEqual(whole);
    expect(namesIn(3)).toEqual(whole);
  });

  it('has each case equally often at each place, and before each other one', () => {
    const rounds = Array.from({ length: 6000 }, (_, round) => namesIn(round));
    // The standard errors of these counts are 34 and 39.
    for (const place of few.keys())
      expect(Math.abs(rounds.filter((order) => order[place] === 0).length - 1500)).toBeLessThan(4.5 * 34);
    const before = rounds.filter((order) => order.indexOf(1) < order.indexOf(2));
    expect(Math.abs(before.length - 3000)).toBeLessThan(4.5 * 39);
  });

  it('of a round is that of the plan where runs are shown', () => {
    const run = (n: number, subject: string, round: number): RunRecord => ({
      ...{ ...recordedRun, benchmark: of.benchmark, configuration: { n }, subject, round },
    });
    const plan = { benchmarks: [{ name: of.benchmark, configurations: [{ n: 2 }, { n: 1 }] }] };
    const runs = [run(1, 'new', 1), run(1, 'new', 0), run(2, 'v', 0), run(2, 'new', 0), run(2, 'old', 0)];
    const shown = byPlan(plan, ['old', 'new'])(runs);
    expect(
      shown.map(({ configuration, subject, round }) => `${round} ${configuration['n']} ${subject}`),
    ).toEqual(['0 2 old', '0 2 new', '0 2 v', '0 1 new', '1 1 new']);
  });
});
