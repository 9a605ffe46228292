import { describe, expect, it } from 'vitest';
import { alternating, halves, measurePairs, normalNoise, sharpModes, thirds } from '../simulation/noise.ts';
import { randomStreams } from '../simulation/random.ts';
import { disturbances, simulateRankings } from '../simulation/rankings.ts';
import { rankValues } from '../src/index.ts';
import { rankParameters } from '../src/internal.ts';
import { meanOf, varianceOf } from '../src/moments.ts';
import { boundaryFor, repeatedHalfWidths } from '../src/sequential/boundary.ts';
import { criticalT } from '../src/tail.ts';

const around = (mean: number, spread = 0.01) => [-2, -1, 0, 1, 2].map((it) => mean * (1 + it * spread));
const sample = (method: string, len: number, rates: number[]) => ({
  benchmark: 'g/a.js',
  configuration: { method, len },
  rates,
});

describe('the values of a parameter', () => {
  it('are ranked by the geometric mean of the ratios of cases that differ only in it', () => {
    const ranking = rankValues(
      [
        ...[sample('slow', 1, around(100)), sample('slow', 1000, around(1))],
        ...[sample('fast', 1, around(400)), sample('fast', 1000, around(1))],
      ],
      'method',
    );
    expect(ranking?.fastest).toBe('fast');
    expect(ranking?.others).toMatchObject([{ value: 'slow', ratio: expect.closeTo(2, 9) }]);
    const interval = ranking?.others[0]?.interval;
    expect(interval?.low).toBeGreaterThan(1.9);
    expect(interval?.high).toBeLessThan(2.1);
  });

  it('of whole commands are ranked by their mean times', () => {
    const command = (method: string, times: readonly number[]) => {
      const rates = times.map((ms) => 1000 / ms);
      return { ...sample(method, 1, rates), isCommand: true as const };
    };
    const alternating = Array.from({ length: 24 }, (_, at) => (at % 3 === 2 ? 600 : 5));
    const steady = Array.from({ length: 24 }, (_, at) => 100 + (at % 3));
    const ranking = rankValues([command('alternating', alternating), command('steady', steady)], 'method');
    expect(ranking?.fastest).toBe('steady');
    expect(ranking?.others).toMatchObject([{ value: 'alternating', ratio: expect.closeTo(610 / 303, 9) }]);
  });

  /** Welch's t-test of logarithms by R: log(mean), s^2 / (n mean^2), Satterthwaite. */
  it('differ if the interval excludes 1', () => {
    const of = (mean: number) =>
      rankValues([sample('a', 1, around(100)), sample('b', 1, around(mean))], 'method');
    expect(of(95)?.others[0]?.interval?.low).toBeGreaterThan(1);
    expect(of(99)?.others[0]?.interval?.low).toBeLessThan(1);
  });

  it('have the interval of a paired t-test if one is slow where the other is fast', () => {
    const a = [1, 2, 3, 4, 5, 6, 7, 8].map((it) => 100 + it);
    const b = [8, 6, 7, 5, 2, 4, 1, 3].map((it) => 90 + it);
    const samples = [sample('a', 1, a), sample('b', 1, b)].map((each) => ({
      ...each,
      rounds: [...a.keys()],
    }));
    const interval = rankValues(samples, 'method')?.others[0]?.interval;
    const differences = a.map((rate, at) => rate / meanOf(a) - (b[at] ?? 0) / meanOf(b));
    const half = criticalT(0.05, a.length - 1) * Math.sqrt(varianceOf(differences) / a.length);
    // Satterthwaite's degrees of freedom are a little fewer, because the variances differ.
    expect(interval?.high).toBeCloseTo((meanOf(a) / meanOf(b)) * Math.exp(half), 3);
  });

  it.each([
    [3, 2, [1], 4],
    [5, 2, [1], 4],
    [4, 3, [1], 5],
    [5, 5, [1], 6],
    [6, 5, [1], 6],
    [3, 2, [1, 2], 3],
  ])('with %i runs, %i values and lengths %j need %i runs for intervals', (runs, values, lengths, needed) => {
    const samples = Array.from({ length: values }, (_, at) =>
      lengths.map((len) => {
        const rates = Array.from({ length: runs }, (_run, run) => 100 * 2 ** at + run);
        return sample(`m${at}`, len, rates);
      }),
    ).flat();
    const ranking = rankValues(samples, 'method');
    expect(ranking?.neededRuns).toBe(needed);
    for (const { interval, isCertain } of ranking?.pairs ?? []) {
      expect([interval !== null, isCertain]).toEqual([runs >= needed, runs >= needed]);
    }
  });

  it('have intervals that miss a ratio of 1 of equal ones at most in 5 % of sessions, whatever the modes and the runs', () => {
    const streams = randomStreams(8);
    const sessions = 200;
    for (const noise of [normalNoise, sharpModes(0.1, halves, 0.005), sharpModes(0.3, thirds, 0.005)]) {
      for (const [values, runs] of [
        [3, 3],
        [5, 3],
        [5, 5],
        [5, 6],
        [2, 4],
      ] as const) {
        const random = streams.next().value;
        const wrong = Array.from({ length: sessions }, () => {
          const samples = Array.from({ length: values }, (_, at) => {
            const logs = noise.draw(random, runs, noise.deviation ?? 0.02).old;
            return sample(`m${at}`, 1, Array.from(logs, Math.exp));
          });
          return rankValues(samples, 'method')?.pairs.some(({ interval }) => (interval?.low ?? 0) > 1);
        }).filter(Boolean).length;
        // 5 %, and three standard errors of so many sessions.
        expect(wrong, `${noise.name}, ${values} values, ${runs} runs`).toBeLessThan(sessions * 0.097);
      }
    }
  });

  it.each([
    ['another size', { a: [100, 10], b: [50, 20] }, ['a at 1', 'b at 1000']],
    ['another size, and not certainly', { a: [100, 10], b: [50, 10.05] }, ['a']],
    ['no size', { a: [100, 20], b: [50, 10] }, ['a']],
    ['another size, by equal factors', { a: [100, 10], b: [50, 20], c: [10, 1] }, ['a at 1', 'b at 1000']],
  ])('have one fastest for all sizes, unless it is certainly another one for %s', (_, rates, expected) => {
    const samples = Object.entries(rates).flatMap(([method, ofSizes]) =>
      ofSizes.map((rate, at) => sample(method, at === 0 ? 1 : 1000, around(rate, 0.02))),
    );
    const found = rankParameters(samples).map(({ fastest, at }) =>
      at ? `${fastest} at ${at['len']}` : fastest,
    );
    expect(found).toEqual(expected);
  });

  it.each([
    ['one case', [['c', 1]], ['a', 'b'], ['c']],
    [
      'all cases',
      [
        ['c', 1],
        ['c', 1000],
      ],
      ['a', 'b'],
      ['c'],
    ],
    [
      'the cases of a size of all values',
      [
        ['a', 1],
        ['b', 1],
        ['c', 1],
      ],
      ['a', 'b', 'c'],
      undefined,
    ],
  ] as const)('are ranked without those of which %s failed', (_, failing, ranked, failed) => {
    const all = ['a', 'b', 'c'].flatMap((method, at) =>
      [1, 1000].map((len) => sample(method, len, around(100 / 2 ** at))),
    );
    const [bad = [], good = []] = [true, false].map((is) =>
      all.filter(
        ({ configuration: { method, len } }) =>
          failing.some((each) => each[0] === method && each[1] === len) === is,
      ),
    );
    const [ranking, ...others] = rankParameters(good, undefined, bad);
    expect([ranking?.fastest, ...(ranking?.others.map(({ value }) => value) ?? [])]).toEqual(ranked);
    expect([ranking?.failed, others]).toEqual([failed, []]);
  });

  it.each([
    { effect: 0, runs: 6 },
    { effect: 0, runs: 30 },
    { effect: 0.2, runs: 10 },
    { effect: 0.2, runs: 30 },
  ])('have intervals that hold if one of two runs is slow: %o', ({ effect, runs }) => {
    const streams = randomStreams(9);
    const sessions = 200;
    for (const noise of alternating) {
      const random = streams.next().value;
      const missed = Array.from({ length: sessions }, () => {
        const drawn = measurePairs(noise, { effect, deviation: 0.01 }, random, runs);
        const samples = [drawn.old, drawn.new].map((rates, at) => ({
          ...sample(`m${at}`, 1, Array.from(rates)),
          rounds: Array.from(rates, (_rate, round) => round),
        }));
        const { low = 0, high = 0 } = rankValues(samples, 'method')?.others[0]?.interval ?? {};
        return low > 1 + effect || high < 1 + effect;
      }).filter(Boolean).length;
      // 5 %, and three standard errors of so many sessions.
      expect(missed, noise.name).toBeLessThan(sessions * 0.097);
    }
  });

  it.each(disturbances)('of equal speed differ in at most 5 % of sessions, with $name', (each) => {
    const streams = randomStreams(3);
    for (const world of [
      { values: 3, cases: 10, runs: 10 },
      { values: 2, cases: 10, runs: 30 },
      { values: 2, cases: 1, runs: 6 },
      { values: 3, cases: 2, runs: 'auto' },
    ] as const) {
      const { wrong } = simulateRankings(world, each, 60, streams.next().value);
      // Three standard errors above 5 %.
      expect(wrong.value).toBeLessThan(0.05 + 3 * 0.029);
    }
  });

  it('have intervals of adaptive runs that hold at any run, so they are wider', () => {
    const [ratesOfA, ratesOfB] = [100, 80].map((mean) =>
      Array.from({ length: 3 }, () => around(mean)).flat(),
    );
    const samples = [sample('a', 1, ratesOfA ?? []), sample('b', 1, ratesOfB ?? [])];
    const fixed = rankValues(samples, 'method')?.others[0];
    const adaptive = rankValues(samples, 'method', 36)?.others[0];
    expect(adaptive?.ratio).toBeCloseTo(1.25, 9);
    // The sum of the half widths of both cases, each with half of the risk of 5 %.
    const halfOf = (rates: readonly number[] = []) =>
      repeatedHalfWidths(boundaryFor(36), 0.025)(varianceOf(rates.map(Math.log)), rates.length);
    const half = halfOf(ratesOfA) + halfOf(ratesOfB);
    expect(adaptive?.interval?.low).toBeCloseTo(1.25 * Math.exp(-half), 9);
    expect(adaptive?.interval?.high).toBeCloseTo(1.25 * Math.exp(half), 9);
    expect(adaptive?.interval?.low).toBeLessThan(fixed?.interval?.low ?? 0);
  });

  it.each([undefined, 36])('keep their places beside one with a single run, at most %s runs', (maxRuns) => {
    const rates = (mean: number) => Array.from({ length: 12 }, (_, at) => mean + at);
    const samples = [sample('a', 1, rates(100)), sample('b', 1, rates(1000)), sample('failing', 1, [9000])];
    const ranking = rankValues(samples, 'method', maxRuns);
    expect(ranking?.pairs.map(({ faster, slower, isCertain }) => [faster, slower, isCertain])).toEqual([
      ['failing', 'b', false],
      ['failing', 'a', false],
      ['b', 'a', true],
    ]);
  });

  it.each([
    ['all cases have fewer than three runs', [sample('a', 1, [1, 2]), sample('b', 1, [1, 2])]],
    ['a rate is 0', [sample('a', 1, [1, 2, 3]), sample('b', 1, [0, 0, 0])]],
    [
      'a combination lacks a value',
      [sample('a', 1, [1, 2, 3]), sample('a', 2, [1, 2, 3]), sample('b', 1, [1, 2, 3])],
    ],
    ['there is only one value', [sample('a', 1, [1, 2, 3])]],
  ])('are not ranked if %s', (_why, samples) => {
    expect(rankValues(samples, 'method')).toBeNull();
  });
});
