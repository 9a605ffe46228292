import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { fixedEvidence } from '../src/fixed-evidence.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { relativeError } from './r-figures.ts';

const SPREAD = [-3.5, 0.5, 2.5, -1.5, 1.5, -2.5, 3.5, -0.5];
const around = (mean: number, spread = 0.1) => SPREAD.map((it) => mean + spread * it);
const judge = (old: readonly number[], new_: readonly number[], negligible?: number) =>
  fixedEvidence({ old, new: new_ }, { negligible });

describe('a difference with a negligible part', () => {
  it.each([
    ['higher', 10, 12, 1],
    ['lower', 12, 10, 1],
    ['same', 10, 10.5, 1],
    ['same', 10.5, 10, 1],
    // It may be negligible, and it may not.
    ['undecided', 10, 11, 1],
    ['undecided', 10, 11.2, 1],
    ['higher', 10, 10.5, 0.1],
    ['higher', 10, 10.5, 0],
  ])('is %s from %d to %d if up to %d is negligible', (verdict, old, new_, negligible) => {
    expect(judge(around(old), around(new_), negligible).verdict).toBe(verdict);
  });

  it('is tested without that part, in both directions', () => {
    const shifted = judge(around(11), around(12)).p ?? 0;
    for (const [old, new_] of [
      [10, 12],
      [12, 10],
    ] as const)
      expect(relativeError(judge(around(old), around(new_), 1).p, shifted)).toBeLessThan(1e-9);
    expect(judge(around(10), around(10.9), 1).p).toBe(1);
  });

  it('keeps its interval', () => {
    const pair = pairOf('a', '', around(10), around(12));
    const [whole, part] = [0, 1].map((negligible) => compareFixed([pair], { negligible }).comparisons[0]);
    expect(part?.ratio).toEqual(whole?.ratio);
  });

  it('of values that do not vary counts beyond that part', () => {
    const constant = (value: number) => [value, value, value, value];
    expect(judge(constant(0), constant(1), 1)).toMatchObject({ verdict: 'same', p: 1 });
    expect(judge(constant(0), constant(1.01), 1)).toMatchObject({ verdict: 'higher', p: 0 });
    expect(judge(constant(1.01), constant(0), 1)).toMatchObject({ verdict: 'lower', p: 0 });
  });

  it('counts in the correction and the verdicts of a list', () => {
    const pairs = [pairOf('a', '', around(10), around(10.5)), pairOf('b', '', around(10), around(12))];
    const list = compareFixed(pairs, { negligible: 1 });
    expect(list.comparisons.map((it) => it.verdict)).toEqual(['same', 'higher']);
    expect(list.discoveries).toEqual({ tested: 2, corrected: 2, found: 1, significant: 1 });
    expect(list.comparisons.map((it) => it.leastChange !== null)).toEqual([false, true]);
  });
});
