import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { kendall } from '../src/assumption.ts';
import { adjustForNumber } from '../src/correction.ts';
import { fixedEvidence } from '../src/fixed-evidence.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { quantile } from '../src/moments.ts';
import { mannWhitneyTest } from '../src/rank-test.ts';
import { ratioInterval, ratioP } from '../src/ratio.ts';
import rFigures from './fixtures/detail.json' with { type: 'json' };
import { relativeError } from './r-figures.ts';

const { samples, families } = rFigures;
const judge = (old: readonly number[], new_: readonly number[]) => fixedEvidence({ old, new: new_ });
const ratioOf = (old: readonly number[], new_: readonly number[]) => {
  const { means } = judge(old, new_);
  return means && ratioInterval(means);
};

describe("R's figures", () => {
  it.each(samples)('Mann-Whitney: $name', ({ old, new: new_, w, p }) => {
    const test = mannWhitneyTest({ old, new: new_ });
    expect(relativeError(test?.p, p)).toBeLessThan(1e-9);
    expect(test?.superiority).toBeCloseTo(w / (old.length * new_.length), 12);
  });

  it.each(samples.filter(({ low }) => low !== null))('interval of the ratio: $name', (figures) => {
    const interval = ratioOf(figures.old, figures.new);
    expect(relativeError(interval?.low, figures.low)).toBeLessThan(1e-9);
    expect(relativeError(interval?.high, figures.high)).toBeLessThan(1e-9);
  });

  it('gives no interval for the ratio to a mean that may be 0', () => {
    const lopsided = samples.find(({ name }) => name === 'lopsided');
    expect(lopsided).toMatchObject({ low: null });
    expect(ratioOf(lopsided?.old ?? [], lopsided?.new ?? [])).toBeNull();
  });

  it.each(samples.filter(({ kendallOld }) => kendallOld[0] !== null))('Kendall: $name', (figures) => {
    const { tau, p } = kendall(figures.old);
    expect(relativeError(tau, figures.kendallOld[0])).toBeLessThan(1e-9);
    expect(relativeError(p, figures.kendallOld[1])).toBeLessThan(1e-9);
  });

  it.each(samples)('quartiles: $name', ({ old, quantilesOld }) => {
    const ascending = old.toSorted((a, b) => a - b);
    for (const [at, probability] of [0.25, 0.5, 0.75].entries()) {
      expect(relativeError(quantile(ascending, probability), quantilesOld[at])).toBeLessThan(1e-9);
    }
  });

  it('p.adjust', () => {
    for (const { p, adjusted: expected } of families) {
      const actual = adjustForNumber(p);
      for (const [at, value] of expected.entries()) {
        expect(relativeError(actual[at], value)).toBeLessThan(1e-9);
      }
      // A number of tests is the same as so many p-values of 1.
      const padded = adjustForNumber([...p, null, 1, 1, 1]).slice(0, p.length);
      expect(adjustForNumber(p, p.length + 3)).toEqual(padded);
    }
  });

  it.each(samples.filter(({ low }) => low !== null))('one-sided tests of a ratio: $name', (figures) => {
    const p = (old: readonly number[], new_: readonly number[], limit: number) => {
      const { means } = judge(old, new_);
      return means && ratioInterval(means) && ratioP(means, limit);
    };
    const { old, new: new_ } = figures;
    const actual = [p(old, new_, 1.01), p(old, new_, 1.05), p(new_, old, 0.99), p(new_, old, 0.8)];
    for (const [at, value] of figures.beyond.entries()) {
      // The other way round, the old mean may be too uncertain for an interval.
      if (actual[at] !== null) expect(relativeError(actual[at], value)).toBeLessThan(1e-9);
    }
  });
});

describe('properties', () => {
  const rates = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 20 });
  const seeded = { seed: 20_261_121, numRuns: 300 };
  const detail = (old: readonly number[], new_: readonly number[]) =>
    compareFixed([pairOf('a', '', old, new_)]).comparisons[0];

  it('no figure is NaN or infinite', () => {
    const anyRates = fc.array(
      fc.double({ min: 0, max: 1e100, noNaN: true }).map((rate) => (rate < 1e-150 ? 0 : rate)),
      { maxLength: 14 },
    );
    fc.assert(
      fc.property(anyRates, anyRates, (old, new_) => {
        const comparison = detail(old, new_);
        expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
      }),
      seeded,
    );
  });

  type Detail = ReturnType<typeof detail>;
  const figuresOf = (it: Detail, isScaled = false) => {
    const { p, ratio, verdict, reason, leastChange } = it ?? {};
    const order = isScaled && it?.assumptions.map(({ kind }) => kind);
    return { p, ratio, verdict, reason, leastChange, order };
  };

  it('the order of runs changes nothing but the trend', () => {
    fc.assert(
      fc.property(rates, rates, (old, new_) => {
        const turned = detail(old.toReversed(), new_.toReversed());
        expect(figuresOf(turned)).toEqual(figuresOf(detail(old, new_)));
      }),
      seeded,
    );
  });

  it('the unit of the rates changes nothing', () => {
    fc.assert(
      fc.property(rates, rates, fc.integer({ min: -60, max: 60 }), (old, new_, power) => {
        const inUnit = (list: readonly number[]) => list.map((rate) => rate * 2 ** power);
        const scaled = detail(inUnit(old), inUnit(new_));
        expect(figuresOf(scaled, true)).toEqual(figuresOf(detail(old, new_), true));
      }),
      seeded,
    );
  });

  it('swapping the subjects mirrors the result', () => {
    fc.assert(
      fc.property(rates, rates, (old, new_) => {
        const [there, back] = [judge(old, new_), judge(new_, old)];
        // The margin is a fraction of the old mean, which is now that of the other sample.
        const open = ['same', 'undecided'];
        const mirrored = { failed: [], higher: ['lower'], lower: ['higher'], same: open, undecided: open };
        expect(mirrored[there.verdict]).toContain(back.verdict);
        expect(back.isConstant).toBe(there.isConstant);
        if (there.p !== null) expect(relativeError(back.p, there.p)).toBeLessThan(1e-9);
        const [ratio, inverse] = [ratioOf(old, new_), ratioOf(new_, old)];
        // The inverse of an interval down to 0 has no upper end. Close to that, the ends lose digits.
        if (ratio !== null && inverse !== null) {
          const precision = (1e-12 * ratio.high) / ratio.low;
          expect(relativeError(inverse.low, 1 / ratio.high)).toBeLessThan(precision);
          expect(relativeError(inverse.high, 1 / ratio.low)).toBeLessThan(precision);
        }
        const [ranks, backRanks] = [
          mannWhitneyTest({ old, new: new_ }),
          mannWhitneyTest({ old: new_, new: old }),
        ];
        expect(backRanks?.superiority).toBeCloseTo(1 - (ranks?.superiority ?? 0), 12);
        expect(relativeError(backRanks?.p, ranks?.p)).toBeLessThan(1e-9);
      }),
      seeded,
    );
  });
});

describe('the number of findings', () => {
  const old = [97, 98, 99, 100, 101, 102, 103];
  const around = (mean: number) => old.map((rate) => rate - 100 + mean);
  const shiftedBy = (difference: number) => pairOf('weak', '', old, around(100 + difference));

  it('does not count a difference that ranks do not support', () => {
    // p = 0.044 by Welch's test, 0.073 by ranks.
    const list = compareFixed([shiftedBy(2.6)]);
    expect(fixedEvidence(shiftedBy(2.6)).p).toBeLessThan(0.05);
    expect(list.comparisons[0]?.p).toBeGreaterThan(0.05);
    expect(list.discoveries).toEqual({ found: 0, significant: 0, tested: 1, corrected: 1 });
  });
});
