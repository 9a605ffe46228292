import { readCompareCsv, UsageError } from '@bench-cli/results';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Comparison, compareAll, compareSamples } from '../src/index.ts';
import { compareFigures, fixture, relativeError } from './fixture.ts';

const SPREAD = [-3, -2, -1, 0, 1, 2, 3];
const around = (mean: number, unit = 1) => SPREAD.map((offset) => mean + offset * unit);

describe("R's figures", () => {
  it.each(['compare-querystring', 'compare-path', 'compare-edge'])('%s', async (name) => {
    const { comparisons } = compareAll((await readCompareCsv(fixture(`${name}.csv`))).pairs);
    const byName = new Map(comparisons.map((it) => [`${it.benchmark} ${it.configuration}`, it]));
    const expected = compareFigures(`${name}.json`);
    expect(byName.size).toBe(expected.length);

    for (const figures of expected) {
      const comparison = byName.get(figures.name);
      expect(comparison, figures.name).toBeDefined();
      if (comparison === undefined) continue;
      expect([comparison.old?.n, comparison.new?.n]).toEqual([figures.nOld, figures.nNew]);
      const test = comparison.test.kind === 'welch' ? comparison.test : undefined;
      const errors = {
        meanOld: relativeError(comparison.old?.mean, figures.meanOld),
        meanNew: relativeError(comparison.new?.mean, figures.meanNew),
        improvement: relativeError(comparison.improvement, figures.improvementPercent / 100),
        ...(figures.p === undefined
          ? {}
          : {
              varianceOld: relativeError(comparison.old?.variance, figures.varianceOld),
              varianceNew: relativeError(comparison.new?.variance, figures.varianceNew),
              t: relativeError(test?.t, figures.t),
              df: relativeError(test?.df, figures.df),
              p: relativeError(test?.p, figures.p),
              accuracy05: relativeError(comparison.accuracy?.p05, Number(figures.accuracy05) / 100),
              accuracy01: relativeError(comparison.accuracy?.p01, Number(figures.accuracy01) / 100),
              accuracy001: relativeError(comparison.accuracy?.p001, Number(figures.accuracy001) / 100),
            }),
      };
      for (const [figure, error] of Object.entries(errors)) {
        expect(error, `${figures.name}: ${figure}`).toBeLessThan(1e-9);
      }
    }
  });
});

describe('verdict', () => {
  it.each([
    ['faster', around(1000), around(1100), {}],
    ['slower', around(1100), around(1000), {}],
    ['no difference', around(1000), around(1001), {}],
    ['undecided', around(1000, 100), around(1001, 100), {}],
    ['undecided', around(1000), around(1001), { margin: 0.001 }],
    ['no difference', around(1000, 100), around(1001, 100), { margin: 0.5 }],
    ['faster', around(10000), around(10010), {}],
  ] as const)('is %s', (verdict, old, new_, options) => {
    expect(compareSamples(old, new_, options).verdict).toBe(verdict);
  });

  it.each([0, -0.1, 1, Number.NaN])('refuses the margin %d', (margin) => {
    expect(() => compareSamples([1, 2], [1, 2], { margin })).toThrow(UsageError);
  });
});

describe('stars', () => {
  // 7 runs a side: p = 0.06, 0.044, 0.012, 0.0089, 0.0013 and 0.00072.
  it.each([
    ['', 2.4],
    ['*', 2.6],
    ['*', 3.4],
    ['**', 3.6],
    ['**', 4.8],
    ['***', 5.2],
  ])('"%s" for a difference of %d', (stars, difference) => {
    expect(compareSamples(around(100), around(100 + difference)).stars).toBe(stars);
  });
});

describe('samples that no test fits', () => {
  it.each([
    ['one run on either side', [100], [200]],
    ['one old run', [100], [200, 201, 202]],
    ['one new run', [100, 101, 102], [200]],
  ])('are undecided, without any tolerance: %s', (_, old, new_) => {
    const comparison = compareSamples(old, new_);
    expect(comparison).toMatchObject({
      verdict: 'undecided',
      accuracy: null,
      stars: '',
      test: { kind: 'none' },
    });
    expect(comparison.improvement).toBeGreaterThan(0.9);
    expect(comparison.warnings.every((it) => it.kind === 'too-few-runs')).toBe(true);
    expect(comparison.warnings).toHaveLength([old, new_].filter((it) => it.length === 1).length);
  });

  it('say which subject is missing', () => {
    expect(compareSamples([], [1, 2])).toMatchObject({
      old: null,
      improvement: null,
      verdict: 'undecided',
      warnings: [{ kind: 'missing-subject', subject: 'old' }],
    });
  });

  it.each([
    ['no difference', 1, [5, 5, 5], [5, 5]],
    ['faster', 0, [5, 5, 5], [6, 6]],
    ['slower', 0, [6, 6, 6], [5, 5]],
    ['no difference', 1, [0.1, 0.1, 0.1], [0.3 - 0.2, 0.3 - 0.2]],
  ])('are constant: %s with p = %d', (verdict, p, old, new_) => {
    expect(compareSamples(old, new_)).toMatchObject({
      verdict,
      test: { kind: 'constant', p },
      accuracy: { p05: 0, p01: 0, p001: 0 },
      warnings: [{ kind: 'constant-rates' }],
    });
  });

  it('have a test when only one side is constant', () => {
    expect(compareSamples([5, 5, 5], around(6, 0.1)).test).toMatchObject({ kind: 'welch' });
  });

  it('show no difference when both report nothing but 0', () => {
    expect(compareSamples([0, 0], [0, 0, 0])).toMatchObject({ improvement: null, verdict: 'no difference' });
  });

  it('have no improvement over an old mean of 0', () => {
    expect(compareSamples([0, 0], around(10))).toMatchObject({
      improvement: null,
      accuracy: null,
      verdict: 'faster',
      warnings: [{ kind: 'zero-mean' }],
    });
  });
});

describe('properties', () => {
  const rates = fc.array(fc.double({ min: 1, max: 1e9, noNaN: true }), { minLength: 2, maxLength: 30 });
  const seeded = { seed: 20_240_501, numRuns: 300 };
  const figures = ({ test, improvement, accuracy }: Comparison): readonly number[] => [
    ...(test.kind === 'welch' ? [test.t, test.df, test.p] : []),
    ...(improvement === null ? [] : [improvement]),
    ...(accuracy === null ? [] : Object.values(accuracy)),
  ];

  it('no figure is NaN or infinite', () => {
    const anyRates = fc.array(fc.double({ min: 0, max: 1e100, noNaN: true }), { maxLength: 6 });
    fc.assert(
      fc.property(anyRates, anyRates, (old, new_) => {
        const comparison = compareSamples(old, new_);
        expect(JSON.parse(JSON.stringify(comparison))).toEqual(comparison);
      }),
      seeded,
    );
  });

  it('the order of runs changes nothing', () => {
    fc.assert(
      fc.property(rates, rates, (old, new_) => {
        expect(compareSamples([...old].reverse(), [...new_].reverse())).toEqual(compareSamples(old, new_));
      }),
      seeded,
    );
  });

  it('the unit of the rates changes nothing', () => {
    fc.assert(
      fc.property(rates, rates, fc.integer({ min: -60, max: 60 }), (old, new_, power) => {
        const inUnit = (list: readonly number[]) => list.map((rate) => rate * 2 ** power);
        const scaled = compareSamples(inUnit(old), inUnit(new_));
        const plain = compareSamples(old, new_);
        expect(scaled.verdict).toBe(plain.verdict);
        expect(figures(scaled)).toEqual(figures(plain));
      }),
      seeded,
    );
  });

  it('swapping the subjects mirrors t and the verdict', () => {
    fc.assert(
      fc.property(rates, rates, (old, new_) => {
        const there = compareSamples(old, new_);
        const back = compareSamples(new_, old);
        const mirrored = { faster: 'slower', slower: 'faster' };
        if (there.verdict === 'faster' || there.verdict === 'slower') {
          expect(back.verdict).toBe(mirrored[there.verdict]);
        } else {
          // The margin is a fraction of the old mean, which another sample has now.
          expect(['no difference', 'undecided']).toContain(back.verdict);
        }
        expect(back.test.kind).toBe(there.test.kind);
        if (there.test.kind === 'welch' && back.test.kind === 'welch') {
          expect(back.test.t).toBe(0 - there.test.t);
          expect(relativeError(back.test.df, there.test.df)).toBeLessThan(1e-12);
          expect(relativeError(back.test.p, there.test.p)).toBeLessThan(1e-9);
        }
      }),
      seeded,
    );
  });
});

describe('compareAll', () => {
  const pair = (benchmark: string, configuration: string, old: number[], new_: number[]) => ({
    benchmark,
    configuration,
    old,
    new: new_,
  });

  it('expects false positives in proportion to the comparisons', () => {
    const pairs = Array.from({ length: 40 }, (_, n) => pair('a.js', `n=${n}`, [1, 2], [1, 2]));
    const { falsePositives } = compareAll(pairs);
    expect(falsePositives.p05).toBeCloseTo(2, 12);
    expect(falsePositives.p01).toBeCloseTo(0.4, 12);
    expect(falsePositives.p001).toBeCloseTo(0.04, 12);
  });

  it('gathers the warnings of all comparisons by what they say', () => {
    const { warnings } = compareAll([
      pair('b.js', 'n=1', [1], [1, 2]),
      pair('a.js', 'n=1', [1], [1, 2]),
      pair('c.js', 'n=1', [1, 2], []),
    ]);
    expect(warnings).toMatchObject([
      { kind: 'too-few-runs', names: ['a.js n=1', 'b.js n=1'] },
      { kind: 'missing-subject', names: ['c.js n=1'] },
    ]);
  });

  it('passes the margin on', () => {
    const pairs = [pair('a.js', '', around(1000, 100), around(1001, 100))];
    expect(compareAll(pairs, { margin: 0.5 }).comparisons[0]?.verdict).toBe('no difference');
  });

  it('is plain data, which survives JSON', () => {
    const list = compareAll([pair('a.js', 'n=1', [1], []), pair('a.js', 'n=2', [0, 0], [3, 4])]);
    expect(JSON.parse(JSON.stringify(list))).toEqual(list);
  });
});
