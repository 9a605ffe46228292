import { describe, expect, it } from 'vitest';
import { type MeasuredClient, standingsOf } from '../src/comparison/standing.ts';

const parallel = 100;
/** A client by the milliseconds of its samples, one list per round. */
const client = (name: string, rounds: readonly (readonly number[])[]): MeasuredClient => ({
  name,
  blocks: rounds.map((ms, round) => ({
    round,
    elapsedNs: ms.map((it) => it * 1e6),
    warmUpMs: 500,
    isSteady: true,
  })),
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

  it('is in the tolerances of the rates', () => {
    for (const { tolerance } of standings) expect(tolerance).toBeGreaterThan(0.1);
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

  it('are clients whose difference is not certain', () => {
    expect(standingsOf([noisy('a', 20), noisy('b', 20.5), noisy('c', 5)], parallel).ties).toEqual([
      ['b', 'a'],
    ]);
  });

  it('never contradict the differences with the slowest, although intervals of the rates overlap', () => {
    const drifting = (name: string, ms: number) =>
      client(
        name,
        [1, 1.6, 0.7, 1.3, 0.9].map((factor, at) => [ms * factor * (at % 2 === 0 ? 1.01 : 0.99)]),
      );
    const { standings, ties } = standingsOf([drifting('a', 20), drifting('b', 18)], parallel);
    expect(standings[0]?.interval?.high).toBeGreaterThan(standings[1]?.interval?.low ?? 0);
    expect(standings[1]?.difference?.low).toBeGreaterThan(0);
    expect(ties).toEqual([]);
  });

  it('are several if the ends of a chain differ', () => {
    const steady = (name: string, ms: number) => client(name, [[ms - 2, ms - 1, ms, ms + 1, ms + 2]]);
    const { standings, ties } = standingsOf([steady('a', 100), steady('b', 98), steady('c', 96)], parallel);
    expect(standings.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(standings[2]?.difference?.low).toBeGreaterThan(0);
    expect(ties).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
  });

  it('do not exist if all differences are certain', () => {
    expect(standingsOf([noisy('a', 20), noisy('b', 10), noisy('c', 5)], parallel).ties).toEqual([]);
  });
});

describe('the 95 % interval of a rate', () => {
  /** A generator of Park and Miller, so that the test always has the same values. */
  function* uniform(seed: number): Generator<number, never, void> {
    for (let state = seed; ; ) {
      state = (state * 48_271) % 2_147_483_647;
      yield state / 2_147_483_647;
    }
  }

  it('contains the rate in 95 % of the comparisons, if the machine drifts for all clients', () => {
    const random = uniform(20_261_121);
    const normal = () => Array.from({ length: 12 }, () => random.next().value).reduce((a, b) => a + b, -6);
    const comparisons = 400;
    let hits = 0;
    for (let at = 0; at < comparisons; at++) {
      const drift = Array.from({ length: 6 }, () => Math.exp(0.1 * normal()));
      const one = (name: string) =>
        client(
          name,
          drift.map((factor) => Array.from({ length: 5 }, () => 10 * factor * Math.exp(0.02 * normal()))),
        );
      const { interval } = standingsOf([one('a'), one('b')], parallel).standings[0] ?? {};
      if (interval != null && interval.low <= 10_000 && interval.high >= 10_000) hits++;
    }
    expect(hits / comparisons).toBeGreaterThan(0.92);
    expect(hits / comparisons).toBeLessThan(0.98);
  });
});
