import { readCompareCsv } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { fixture } from '../../../test/support/fixture.ts';
import { pairOf } from '../../../test/support/pairs.ts';
import { type FixedOptions, judgeFixed } from '../src/fixed-judgement.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { compareFigures, relativeError } from './r-figures.ts';

const SPREAD = [-3, -2, -1, 0, 1, 2, 3];
const around = (mean: number, unit = 1) => SPREAD.map((offset) => mean + offset * unit);

const judge = (old: readonly number[], new_: readonly number[], options?: FixedOptions) =>
  judgeFixed({ old, new: new_ }, options).judgement;

/** The only comparison of a list. */
function compare(old: readonly number[], new_: readonly number[]) {
  const [comparison] = compareFixed([pairOf('a.js', '', old, new_)]).comparisons;
  if (comparison === undefined) throw new Error('nothing was compared');
  return comparison;
}

describe("R's figures", () => {
  it.each(['compare-querystring', 'compare-path', 'compare-edge'])('%s', async (name) => {
    const { comparisons } = compareFixed((await readCompareCsv(fixture(`${name}.csv`))).pairs);
    const byName = new Map(comparisons.map((it) => [`${it.benchmark} ${it.text}`, it]));
    const expected = compareFigures(`${name}.json`);
    expect(byName.size).toBe(expected.length);

    for (const figures of expected) {
      const comparison = byName.get(figures.name);
      expect(comparison, figures.name).toBeDefined();
      if (comparison === undefined) continue;
      const { old, new: new_, judgement } = comparison;
      expect([old?.n, new_?.n]).toEqual([figures.nOld, figures.nNew]);
      const test = judgement.test.kind === 'welch' ? judgement.test : undefined;
      const errors = {
        meanOld: relativeError(old?.mean, figures.meanOld),
        meanNew: relativeError(new_?.mean, figures.meanNew),
        improvement: relativeError(judgement.improvement, figures.improvementPercent / 100),
        ...(figures.p === undefined
          ? {}
          : {
              varianceOld: relativeError(old?.variance, figures.varianceOld),
              varianceNew: relativeError(new_?.variance, figures.varianceNew),
              t: relativeError(test?.t, figures.t),
              df: relativeError(test?.df, figures.df),
              p: relativeError(judgement.p, figures.p),
              accuracy05: relativeError(judgement.accuracy?.p05, Number(figures.accuracy05) / 100),
              accuracy01: relativeError(judgement.accuracy?.p01, Number(figures.accuracy01) / 100),
              accuracy001: relativeError(judgement.accuracy?.p001, Number(figures.accuracy001) / 100),
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
    ['higher', around(1000), around(1100), {}],
    ['lower', around(1100), around(1000), {}],
    ['same', around(1000), around(1001), {}],
    ['undecided', around(1000, 100), around(1001, 100), {}],
    ['undecided', around(1000), around(1001), { margin: 0.001 }],
    ['same', around(1000, 100), around(1001, 100), { margin: 0.5 }],
    ['higher', around(10000), around(10010), {}],
  ] as const)('is %s', (verdict, old, new_, options) => {
    expect(judge(old, new_, options).verdict).toBe(verdict);
  });

  it.each([0, -0.1, 1, Number.NaN])('needs a margin between 0 and 1, not %d', (margin) => {
    expect(() => judge([1, 2], [1, 2], { margin })).toThrow(
      expect.objectContaining({
        code: 'ERR_BENCH_MARGIN',
        message: expect.stringContaining(`${margin}`),
      }),
    );
  });
});

describe('stars', () => {
  // 7 runs of each subject: p = 0.06, 0.044, 0.012, 0.0089, 0.0013 and 0.00072.
  it.each([
    ['', 2.4],
    ['*', 2.6],
    ['*', 3.4],
    ['**', 3.6],
    ['**', 4.8],
    ['***', 5.2],
  ])('"%s" for a difference of %d', (stars, difference) => {
    expect(judge(around(100), around(100 + difference)).stars).toBe(stars);
  });
});

describe('samples without a test', () => {
  it.each([
    ['one run of each subject', [100], [200]],
    ['one old run', [100], [200, 201, 202]],
    ['one new run', [100, 101, 102], [200]],
  ])('are undecided and have no accuracy: %s', (_, old, new_) => {
    const { judgement, warnings } = compare(old, new_);
    expect(judgement).toMatchObject({
      verdict: 'undecided',
      accuracy: null,
      p: null,
      ratio: null,
      stars: '',
      test: { kind: 'none' },
    });
    expect(judgement.improvement).toBeGreaterThan(0.9);
    expect(warnings.every((it) => it.kind === 'too-few-runs')).toBe(true);
    expect(warnings.map((it) => 'neededRuns' in it && it.neededRuns)).toEqual([4]);
  });

  it('have a warning that names the missing subject', () => {
    expect(compare([], [1, 2])).toMatchObject({
      old: null,
      judgement: { improvement: null, verdict: 'undecided' },
      warnings: [{ kind: 'missing-subject', subject: 'old' }],
    });
  });

  it.each([
    ['same', 1, 5, 5],
    ['higher', 0, 5, 6],
    ['lower', 0, 6, 5],
    ['same', 1, 0.1, 0.3 - 0.2],
  ])('are constant: %s with p = %d', (verdict, p, old, new_) => {
    expect(compare(Array(7).fill(old), Array(6).fill(new_))).toMatchObject({
      judgement: { verdict, p, test: { kind: 'constant', p }, accuracy: { p05: 0, p01: 0, p001: 0 } },
      warnings: [{ kind: 'constant-rates' }],
    });
  });

  it('have an interval without width if they differ by little more than rounding', () => {
    // The standard error is 9e-16 of the mean, which counts as constant. With a t of 12.7 the interval would include 1.
    const { test, verdict, ratio } = judge([1, 1 + 2 ** -49], [1 + 2 ** -47, 1 + 2 ** -47]);
    expect([test.kind, verdict]).toEqual(['constant', 'higher']);
    expect(ratio?.low).toBe(ratio?.ratio);
    expect(ratio?.low).toBeGreaterThan(1);
  });

  it('have a test if only one subject is constant', () => {
    expect(judge([5, 5, 5], around(6, 0.1)).test).toMatchObject({ kind: 'welch' });
  });

  it('show no difference if both subjects only report 0', () => {
    expect(judge([0, 0], [0, 0, 0])).toMatchObject({ improvement: null, verdict: 'same' });
  });

  it('have no improvement over an old mean of 0', () => {
    expect(compare([0, 0, 0, 0, 0, 0], around(10))).toMatchObject({
      judgement: { improvement: null, accuracy: null, verdict: 'higher' },
      warnings: [{ kind: 'zero-mean' }],
    });
  });
});

describe('compareFixed', () => {
  it('finds no difference in a few runs, also if they do not vary', () => {
    const constant = (runs: number) => compare(Array(runs).fill(5), Array(runs).fill(6));
    expect(constant(3)).toMatchObject({ judgement: { p: 0 }, verdict: 'undecided', isSignificant: false });
    expect(constant(6)).toMatchObject({ judgement: { p: 0 }, verdict: 'higher', isSignificant: true });
  });

  it('orders cases by name in Unicode root collation', () => {
    const pairs = ['c.js', 'B.js', 'a.js'].map((name) => pairOf(name, '', [1, 2], [1, 2]));
    expect(compareFixed(pairs).comparisons.map(({ benchmark }) => benchmark)).toEqual([
      'a.js',
      'B.js',
      'c.js',
    ]);
  });
});
