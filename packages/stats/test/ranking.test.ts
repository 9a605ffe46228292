import { describe, expect, it } from 'vitest';
import { rankValues } from '../src/index.ts';

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
    const [{ interval } = { interval: { low: 0, high: 0 } }] = ranking?.others ?? [];
    expect(interval.low).toBeGreaterThan(1.9);
    expect(interval.high).toBeLessThan(2.1);
  });

  it('have wider intervals the more values there are, because any of them can turn out to be the fastest', () => {
    const width = (count: number) => {
      const samples = Array.from({ length: count }, (_, at) => sample(`m${at}`, 1, around(100 - at)));
      const last = rankValues(samples, 'method')?.others[0];
      return (last?.interval.high ?? 0) - (last?.interval.low ?? 0);
    };
    expect(width(3)).toBeGreaterThan(width(2));
  });

  /** Welch's t-test of logarithms by R: log(mean), s^2 / (n mean^2), Satterthwaite. */
  it('differ if the interval excludes 1', () => {
    const of = (mean: number) =>
      rankValues([sample('a', 1, around(100)), sample('b', 1, around(mean))], 'method');
    expect(of(95)?.others[0]?.interval.low).toBeGreaterThan(1);
    expect(of(99)?.others[0]?.interval.low).toBeLessThan(1);
  });

  it.each([
    ['a case has fewer than three runs', [sample('a', 1, [1, 2, 3]), sample('b', 1, [1, 2])]],
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
