import { describe, expect, it } from 'vitest';
import { estimatePairs, type PairEstimate, pairP } from '../../src/sequential/pair-estimate.ts';
import { halfWidth } from '../../src/welch.ts';
import { relativeError } from '../r-figures.ts';

const OLD = [104.2, 98.7, 101.3, 99.1, 103.8, 97.5, 100.9, 102.6];
/** Correlated with the old rates. */
const ALIKE = [107.9, 101.2, 105, 101.7, 108.8, 99.6, 104.1, 107.3];
/** The same in another order, in which the correlation is negative. */
const APART = [101.9, 107.3, 105, 104.1, 101.2, 107.9, 99.6, 108.8];

const estimate = (old: readonly number[], new_: readonly number[]): PairEstimate => {
  const found = estimatePairs({ old, new: new_ });
  if (found === null) throw new Error('there is no estimate');
  return found;
};

// t <- t.test(log(new), log(old), paired = TRUE); t$estimate; t$stderr; t$parameter; t$p.value
it.each([
  ['correlated', ALIKE, 0.03325578367729476, 0.003277775919689617, 1.9445060130498892e-5],
  ['negatively correlated', APART, 0.03350136332406539, 0.01728715582835704, 0.09382002039948245],
])("R's figures are those of a paired t-test of logarithms: %s", (_, new_, logRatio, standardError, p) => {
  const found = estimate(OLD, new_);
  expect(relativeError(found.logRatio, logRatio)).toBeLessThan(1e-12);
  expect(relativeError(found.standardError, standardError)).toBeLessThan(1e-12);
  expect(found.df).toBe(7);
  expect(relativeError(pairP(found), p)).toBeLessThan(1e-9);
  // qt(0.975, 7)
  expect(relativeError(halfWidth(found, 0.05), 2.364624251592784 * standardError)).toBeLessThan(1e-9);
});

describe('an estimate', () => {
  it('of constant rates is exact, and its p-value 0 or 1', () => {
    const same = estimate([5, 5, 5], [5, 5, 5]);
    expect(same).toEqual({ runs: 3, logRatio: 0, standardError: 0, df: 2 });
    expect(pairP(same)).toBe(1);
    expect(halfWidth(same, 0.05)).toBe(0);
    expect(pairP(estimate([5, 5, 5], [6, 6, 6]))).toBe(0);
    const sum = 0.1 + 0.2;
    expect(estimate([0.3, 0.3, 0.3], [sum, sum, sum])).toEqual(same);
  });

  it('leaves out a run without a partner', () => {
    expect(estimatePairs({ old: [...OLD, 1], new: APART })).toEqual(estimate(OLD, APART));
  });

  it.each([
    ['no run', [], []],
    ['one pair', [1], [2]],
    ['one run without a partner', [1, 2], [2]],
    ['a rate of 0', [1, 2, 3], [1, 0, 3]],
  ])('does not exist for %s', (_, old, new_) => {
    expect(estimatePairs({ old, new: new_ })).toBeNull();
  });
});
