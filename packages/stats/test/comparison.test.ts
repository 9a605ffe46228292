import { readCompareCsv } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { fixture } from '../../../test/support/fixture.ts';
import { pairOf } from '../../../test/support/pairs.ts';
import { type FixedOptions, fixedEvidence } from '../src/fixed-evidence.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { ratioInterval } from '../src/ratio.ts';
import { halfWidth, welchTest } from '../src/welch.ts';
import edge from './fixtures/compare-edge.json' with { type: 'json' };
import path from './fixtures/compare-path.json' with { type: 'json' };
import querystring from './fixtures/compare-querystring.json' with { type: 'json' };
import { relativeError } from './r-figures.ts';

const SPREAD = [-3, -2, -1, 0, 1, 2, 3];
const around = (mean: number, unit = 1) => SPREAD.map((offset) => mean + offset * unit);

const judge = (old: readonly number[], new_: readonly number[], options?: FixedOptions) =>
  fixedEvidence({ old, new: new_ }, options);

/** The only comparison of a list. */
function compare(old: readonly number[], new_: readonly number[]) {
  const [comparison] = compareFixed([pairOf('a.js', '', old, new_)]).comparisons;
  if (comparison === undefined) throw new Error('nothing was compared');
  return comparison;
}

it.each(Object.entries({ querystring, path, edge }))("R's figures compare-%s", async (name, expected) => {
  const { comparisons } = compareFixed((await readCompareCsv(fixture(`compare-${name}.csv`))).pairs);
  const byName = new Map(comparisons.map((it) => [`${it.benchmark} ${it.text}`, it]));
  expect(byName.size).toBe(expected.length);

  for (const figures of expected) {
    const comparison = byName.get(figures.name);
    expect(comparison, figures.name).toBeDefined();
    const { old, new: new_ } = comparison ?? {};
    if (!old || !new_) continue;
    expect([old.n, new_.n]).toEqual([figures.nOld, figures.nNew]);
    const test = welchTest(old, new_);
    const accuracy = (risk: number) => test && (100 * halfWidth(test, risk)) / old.mean;
    const errors = {
      meanOld: relativeError(old.mean, figures.meanOld),
      meanNew: relativeError(new_.mean, figures.meanNew),
      ...(figures.p === undefined
        ? {}
        : {
            varianceOld: relativeError(old.variance, figures.varianceOld),
            varianceNew: relativeError(new_.variance, figures.varianceNew),
            t: relativeError(test && test.difference / test.standardError, figures.t),
            df: relativeError(test?.df, figures.df),
            p: relativeError(test?.p, figures.p),
            accuracy05: relativeError(accuracy(0.05), figures.accuracy05),
            accuracy01: relativeError(accuracy(0.01), figures.accuracy01),
            accuracy001: relativeError(accuracy(0.001), figures.accuracy001),
          }),
    };
    for (const [figure, error] of Object.entries(errors)) {
      expect(error, `${figures.name}: ${figure}`).toBeLessThan(1e-9);
    }
  }
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
    expect(() => judge([1, 2], [1, 2], { margin })).toThrow(errorWith('MARGIN', `${margin}`));
  });
});

describe('samples without a test', () => {
  it.each([
    ['one run of each subject', [100], [200]],
    ['one old run', [100], [200, 201, 202]],
    ['one new run', [100, 101, 102], [200]],
  ])('are undecided: %s', (_, old, new_) => {
    const { warnings, ...comparison } = compare(old, new_);
    expect(comparison).toMatchObject({ verdict: 'undecided', p: null, ratio: null, reason: 'too-few-runs' });
    expect(warnings.every((it) => it.kind === 'too-few-runs')).toBe(true);
    expect(warnings.map((it) => 'neededRuns' in it && it.neededRuns)).toEqual([4]);
  });

  it('have a warning that names the missing subject', () => {
    expect(compare([], [1, 2])).toMatchObject({
      old: null,
      verdict: 'undecided',
      reason: 'missing-subject',
      warnings: [{ kind: 'missing-subject', subject: 'old' }],
    });
  });

  it.each([
    ['same', 1, 5, 5],
    ['higher', 0, 5, 6],
    ['lower', 0, 6, 5],
    ['same', 1, 0.1, 0.3 - 0.2],
  ])('are constant: %s with p = %d', (verdict, p, old, new_) => {
    const samples = { old: Array(7).fill(old), new: Array(6).fill(new_) };
    expect(fixedEvidence(samples)).toMatchObject({ verdict, p, isConstant: true });
    expect(compare(samples.old, samples.new).warnings).toMatchObject([{ kind: 'constant-rates' }]);
  });

  it('have an interval without width if they differ by little more than rounding', () => {
    // The standard error is 9e-16 of the mean, which counts as constant. With a t of 12.7 the interval would include 1.
    const { isConstant, verdict, means } = judge([1, 1 + 2 ** -49], [1 + 2 ** -47, 1 + 2 ** -47]);
    expect([isConstant, verdict]).toEqual([true, 'higher']);
    const ratio = means && ratioInterval(means);
    expect(ratio?.low).toBe(ratio?.ratio);
    expect(ratio?.low).toBeGreaterThan(1);
  });

  it('have a test if only one subject is constant', () => {
    expect(judge([5, 5, 5], around(6, 0.1)).isConstant).toBe(false);
  });

  it('show no difference if both subjects only report 0', () => {
    expect(judge([0, 0], [0, 0, 0])).toMatchObject({ means: null, verdict: 'same' });
  });

  it('have no ratio to an old mean of 0', () => {
    const zero = { ratio: null, verdict: 'higher', warnings: [{ kind: 'zero-mean' }] };
    expect(compare([0, 0, 0, 0, 0, 0], around(10))).toMatchObject(zero);
  });
});

describe('compareFixed', () => {
  it('finds no difference in a few runs, also if they do not vary', () => {
    const constant = (runs: number) => compare(Array(runs).fill(5), Array(runs).fill(6));
    expect(constant(3)).toMatchObject({ p: expect.closeTo(0.1, 9), verdict: 'undecided' });
    expect(constant(6)).toMatchObject({ verdict: 'higher' });
  });

  it('orders cases by name in Unicode root collation', () => {
    const pairs = ['c.js', 'B.js', 'a.js'].map((name) => pairOf(name, '', [1, 2], [1, 2]));
    const names = compareFixed(pairs).comparisons.map(({ benchmark }) => benchmark);
    expect(names).toEqual(['a.js', 'B.js', 'c.js']);
  });
});
