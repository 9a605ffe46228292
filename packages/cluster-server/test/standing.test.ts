import { describe, expect, it } from 'vitest';
import { rotated } from '../src/comparison/sampling.ts';
import { type MeasuredClient, standingsOf } from '../src/comparison/standing.ts';

const parallel = 100;
/** A client by the milliseconds of its samples, one list per round. */
const client = (name: string, rounds: readonly (readonly number[])[]): MeasuredClient => ({
  name,
  blocks: rounds.map((ms, round) => ({ round, elapsedNs: ms.map((it) => it * 1e6) })),
});

describe('the statistics of a client', () => {
  it('have a rate of received answers per second', () => {
    const { standings } = standingsOf([client('a', [[10, 30]])], parallel);
    expect(standings[0]).toMatchObject({ samples: 2, ratePerSecond: 5000, p50Ms: 20 });
  });

  it('have, for one round, the tolerance of undici: the standard error of the mean', () => {
    const { standings } = standingsOf([client('a', [[10, 12, 14, 16]])], parallel);
    // sd(10, 12, 14, 16) / sqrt(4) / mean: 2.581989 / 2 / 13
    expect(standings[0]?.tolerance).toBeCloseTo(0.0993073, 6);
  });

  it('have no tolerance, interval or difference for one sample', () => {
    const { standings, ties } = standingsOf([client('a', [[20]]), client('b', [[10]])], parallel);
    expect(standings.map(({ tolerance, interval, difference }) => [tolerance, interval, difference])).toEqual(
      [
        [null, null, null],
        [null, null, null],
      ],
    );
    expect(standings[1]?.differenceValue).toBe(1);
    expect(ties).toEqual([]);
  });

  it('have a larger tolerance if rounds differ than if samples within rounds do', () => {
    const tolerance = (rounds: readonly (readonly number[])[]) =>
      standingsOf([client('a', rounds)], parallel).standings[0]?.tolerance ?? 0;
    const between = tolerance([
      [10, 10, 10],
      [13, 13, 13],
    ]);
    const within = tolerance([
      [10, 10, 13],
      [13, 13, 10],
    ]);
    expect(between).toBeGreaterThan(1.5 * within);
  });
});

describe('a drift of the machine', () => {
  const slow = [1, 2, 1.5, 3, 1.2, 2.5];
  const jitter = [1, 1.01, 0.99, 1, 1.01, 0.99];
  const { standings, drift, ties } = standingsOf(
    [
      client(
        'a',
        slow.map((factor, at) => [20 * factor * (jitter[at] ?? 1)]),
      ),
      client(
        'b',
        slow.map((factor, at) => [18 * factor * (jitter[5 - at] ?? 1)]),
      ),
    ],
    parallel,
  );

  it('that affects all clients does not increase their tolerances', () => {
    for (const { tolerance } of standings) expect(tolerance).toBeLessThan(0.02);
    expect(drift).toBeGreaterThan(0.3);
  });

  it('does not hide a difference of 10 %, because differences are computed round by round', () => {
    const [, b] = standings;
    expect(b?.name).toBe('b');
    expect(b?.difference?.low).toBeGreaterThan(0.08);
    expect(b?.difference?.high).toBeLessThan(0.15);
    expect(ties).toEqual([]);
  });
});

describe('ties', () => {
  const noisy = (name: string, ms: number) =>
    client(
      name,
      [0.9, 1.1, 0.95, 1.05, 1].map((factor, at) => [ms * factor, ms * (at % 2 === 0 ? 1.1 : 0.9)]),
    );

  it('are clients with overlapping intervals', () => {
    expect(standingsOf([noisy('a', 20), noisy('b', 20.5), noisy('c', 5)], parallel).ties).toEqual([
      ['b', 'a'],
    ]);
  });

  it('are several if the ends of a chain do not overlap', () => {
    const steady = (name: string, ms: number) => client(name, [[ms - 2, ms - 1, ms, ms + 1, ms + 2]]);
    const { standings, ties } = standingsOf([steady('a', 100), steady('b', 97), steady('c', 94)], parallel);
    // 980.6 to 1019.8, 1010.3 to 1052.0, 1041.8 to 1086.3 per second.
    expect(standings.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(standings[0]?.interval?.high).toBeLessThan(standings[2]?.interval?.low ?? 0);
    expect(ties).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
  });

  it('do not exist if no intervals overlap', () => {
    expect(standingsOf([noisy('a', 20), noisy('b', 10), noisy('c', 5)], parallel).ties).toEqual([]);
  });
});

describe('the order of a round', () => {
  it.each([2, 3, 4, 5])('gives each of %d clients every place equally often', (count) => {
    const clients = Array.from({ length: count }, (_, at) => `client ${at}`);
    const rounds = Array.from({ length: 2 * count }, (_, round) => rotated(clients, round));
    for (let place = 0; place < count; place++) {
      const there = rounds.map((order) => order[place]).sort();
      expect(there).toEqual(clients.flatMap((name) => [name, name]));
    }
  });

  it('does not always put the same client before another', () => {
    const before = (round: number) => {
      const order = rotated(['a', 'b', 'c', 'd'], round);
      return order[order.indexOf('c') - 1];
    };
    expect(new Set([before(0), before(1)]).size).toBe(2);
  });
});
