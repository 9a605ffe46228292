import { UsageError } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { summarizeSample } from '../src/index.ts';

describe('summarizeSample', () => {
  it('gives number, mean, variance, range and median', () => {
    expect(summarizeSample([4, 1, 3, 2])).toEqual({
      n: 4,
      mean: 2.5,
      variance: 5 / 3,
      min: 1,
      max: 4,
      median: 2.5,
    });
    expect(summarizeSample([5, 1, 3]).median).toBe(3);
  });

  it('knows no variance of a single run', () => {
    expect(summarizeSample([7])).toEqual({ n: 1, mean: 7, variance: null, min: 7, max: 7, median: 7 });
  });

  it('keeps the digits of a small spread on a large mean', () => {
    const spread = [0, 1, 2, 3, 4].map((it) => 1e15 + it);
    expect(summarizeSample(spread)).toMatchObject({ mean: 1e15 + 2, variance: 2.5 });
  });

  it('finds no variance in equal rates that are no binary fractions', () => {
    expect(summarizeSample(Array(1001).fill(0.1))).toMatchObject({ mean: 0.1, variance: 0 });
  });

  it('leaves the order of its argument alone', () => {
    const rates = [3, 1, 2];
    summarizeSample(rates);
    expect(rates).toEqual([3, 1, 2]);
  });

  it.each([
    ['no rates', [], 'at least one rate'],
    ['NaN', [1, Number.NaN, 2], 'not NaN'],
    ['a negative rate', [1, -2], 'not -2'],
    ['infinity', [1, Number.POSITIVE_INFINITY], 'not Infinity'],
    ['rates whose squares overflow', [1e200, 2e200], 'larger unit'],
  ])('refuses %s', (_, rates, message) => {
    expect(() => summarizeSample(rates)).toThrow(UsageError);
    expect(() => summarizeSample(rates)).toThrow(message);
  });
});
