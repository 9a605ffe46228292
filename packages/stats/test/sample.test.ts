import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { summarizeSample } from '../src/sample.ts';

describe('summarizeSample', () => {
  it('gives number, mean, variance, range and median', () => {
    const range = { min: 1, max: 4, median: 2.5 };
    expect(summarizeSample([4, 1, 3, 2])).toEqual({ n: 4, mean: 2.5, variance: 5 / 3, ...range });
    expect(summarizeSample([5, 1, 3]).median).toBe(3);
  });

  it('gives no variance of one run', () => {
    expect(summarizeSample([7])).toEqual({ n: 1, mean: 7, variance: null, min: 7, max: 7, median: 7 });
  });

  it('keeps the digits of a small spread with a large mean', () => {
    const spread = [0, 1, 2, 3, 4].map((it) => 1e15 + it);
    expect(summarizeSample(spread)).toMatchObject({ mean: 1e15 + 2, variance: 2.5 });
  });

  it('gives a variance of 0 for equal rates that are not binary fractions', () => {
    expect(summarizeSample(Array(1001).fill(0.1))).toMatchObject({ mean: 0.1, variance: 0 });
  });

  it.each([
    ['an empty sample', [], 'empty'],
    ['NaN', [1, Number.NaN, 2], 'NaN'],
    ['a negative rate', [1, -2], '-2'],
    ['infinity', [1, Number.POSITIVE_INFINITY], 'Infinity'],
    ['rates whose variance overflows', [1e200, 2e200], '2e+200'],
    ['rates whose variance underflows', [0, 1e-200, 1], '1e-200'],
  ])('rejects %s', (_, rates, value) => {
    expect(() => summarizeSample(rates)).toThrow(errorWith('RATE', value));
  });
});
