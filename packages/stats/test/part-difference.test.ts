import { compareParts, withoutCommonFactor } from '@bench-cli/stats/internal';
import { describe, expect, it } from 'vitest';

const runs = (part: string, ...values: readonly number[]) =>
  values.map((value) => new Map(Object.entries({ [part]: value, rest: 100 })));

describe('compareParts', () => {
  it("has the difference and the interval of R's t.test(c(40, 43, 38), c(30, 32, 31))", () => {
    const [part] = compareParts({ old: runs('f', 30, 32, 31), new: runs('f', 40, 43, 38) });
    expect(part).toMatchObject({ part: 'f', old: 31, new: 121 / 3 });
    expect(part?.low).toBeCloseTo(3.91814361187, 9);
    expect(part?.high).toBeCloseTo(14.7485230547962, 9);
    // Of two parts, the other has no difference.
    expect(part?.adjustedP).toBeCloseTo(2 * 0.0137151270516292, 9);
  });

  it("has Yuen's test and interval, those of scipy's ttest_ind(trim=0.2), which disturbed runs do not spoil", () => {
    const [part] = compareParts({
      old: runs('f', 98.2, 101.5, 99.7, 100.3, 97.9, 140, 102.2, 98.8, 100.9, 99.1),
      new: runs('f', 108.4, 111, 109.9, 107.2, 110.6, 112.3, 95, 109.1, 111.8, 155.5),
    });
    expect(part?.part).toBe('f');
    expect(part?.old).toBeCloseTo(100.05, 10);
    expect(part?.new).toBeCloseTo(110.13333333333333, 10);
    expect(part?.low).toBeCloseTo(7.760657871965764, 9);
    expect(part?.high).toBeCloseTo(12.406008794700865, 9);
    // Of two parts; Welch's test would have p = 0.17.
    expect(part?.adjustedP).toBeCloseTo(2 * 2.8027578092445518e-6, 12);
  });

  it('compares parts that are equal in nearly all runs without trimming them', () => {
    const [part] = compareParts({ old: runs('f', 5, 5, 5, 5, 5, 6), new: runs('f', 8, 8, 8, 8, 8, 9) });
    expect(part?.part).toBe('f');
    expect(part?.difference).toBeCloseTo(3, 10);
    expect(part?.adjustedP).toBeLessThan(0.001);
  });

  it('lists the largest difference first', () => {
    const side = (a: number, b: number) =>
      [0, 0.1, -0.1].map((noise) => new Map(Object.entries({ a: a + noise, b: b - noise })));
    const parts = compareParts({ old: side(10, 50), new: side(12, 40) });
    expect(parts.map(({ part }) => part)).toEqual(['b', 'a']);
  });

  it('takes a part that one subject does not have as 0', () => {
    const parts = compareParts({ old: runs('f', 1, 1.1, 0.9), new: runs('g', 2, 2.1, 1.9) });
    expect(parts.find(({ part }) => part === 'g')).toMatchObject({ old: 0 });
    expect(parts.find(({ part }) => part === 'f')).toMatchObject({ new: 0 });
  });

  it('leaves out parts that take almost nothing', () => {
    const parts = compareParts({ old: runs('f', 0.01, 0.02), new: runs('f', 0.03, 0.04) });
    expect(parts.map(({ part }) => part)).toEqual(['rest']);
  });

  it('compares nothing with a single run, whose variance is unknown', () => {
    expect(compareParts({ old: runs('f', 1), new: runs('f', 2) })).toEqual([]);
  });
});

describe('withoutCommonFactor', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  /** A run that is so many times as slow in all parts, with more in the first one. */
  const run = (factor: number, more = 0, parts = names) =>
    new Map(parts.map((part, at) => [part, factor * (10 * (at + 1) + (at === 0 ? more : 0))]));
  const factors = [1, 2, 1.5, 3];

  it('finds a change that the noise of all parts together hides', () => {
    const runs = { old: factors.map((factor) => run(factor)), new: factors.map((factor) => run(factor, 2)) };
    expect(compareParts(runs).every(({ adjustedP }) => adjustedP > 0.05)).toBe(true);
    const found = compareParts(withoutCommonFactor(runs).runs).filter(({ adjustedP }) => adjustedP < 0.05);
    expect(found.map(({ part }) => part)).toEqual(['a']);
    const [{ old = 0, new: new_ = 0 } = {}] = found;
    expect(new_ / old).toBeCloseTo(1.2, 10);
  });

  it('returns what all parts have in common', () => {
    const { factors: found } = withoutCommonFactor({ old: [run(1), run(1)], new: [run(3), run(3)] });
    expect(found).toEqual({ old: [0.5, 0.5], new: [1.5, 1.5] });
  });

  it('changes nothing with few parts, of which one that changed could be the median', () => {
    const few = ['a', 'b', 'c', 'd'];
    const runs = { old: [run(1, 0, few), run(2, 0, few)], new: [run(1, 5, few), run(3, 5, few)] };
    expect(withoutCommonFactor(runs)).toEqual({ runs, factors: { old: [1, 1], new: [1, 1] } });
  });
});
