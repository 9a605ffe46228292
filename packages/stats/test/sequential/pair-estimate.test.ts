import { describe, expect, it } from 'vitest';
import {
  estimatePairs,
  type PairEstimate,
  pairHalfWidth,
  pairP,
} from '../../src/sequential/pair-estimate.ts';
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

describe("R's figures", () => {
  it('are those of Welch on logarithms without evidence of a correlation', () => {
    // t <- t.test(log(new), log(old)); t$stderr; t$parameter; t$p.value; diff(rev(t$estimate)); t$conf.int
    const found = estimate(OLD, APART);
    expect(relativeError(found.logRatio, 0.0335013633240653)).toBeLessThan(1e-12);
    expect(relativeError(found.standardError, 0.0143098890863782)).toBeLessThan(1e-12);
    expect(relativeError(found.df, 12.9636505449422)).toBeLessThan(1e-12);
    expect(relativeError(pairP(found), 0.0358629550322757)).toBeLessThan(1e-9);
    expect(relativeError(pairHalfWidth(found, 0.05), 0.06442481310176314 - found.logRatio)).toBeLessThan(
      1e-9,
    );
  });

  it('are those of Welch with four pairs, which are too few to show a correlation', () => {
    const found = estimate(OLD.slice(0, 4), ALIKE.slice(0, 4));
    expect(relativeError(found.standardError, 0.0194651147234053)).toBeLessThan(1e-12);
    expect(relativeError(found.df, 5.80576570472879)).toBeLessThan(1e-12);
    expect(relativeError(pairP(found), 0.170774204209857)).toBeLessThan(1e-9);
  });

  it('credit the lower limit of the correlation within pairs', () => {
    // o <- log(old); n <- log(new); k <- length(o)
    // credited <- cor.test(o, n, alternative = "greater", conf.level = 0.95)$conf.int[1]
    // se <- sqrt((var(o) + var(n) - 2 * credited * sd(o) * sd(n)) / k)
    // df <- (k - 1) + (1 - credited) * (t.test(n, o)$parameter - (k - 1))
    // 2 * pt(-abs(mean(n) - mean(o)) / se, df); qt(1 - 0.01 / 2, df) * se
    const found = estimate(OLD, ALIKE);
    // R takes qnorm(0.95) for 1.645.
    expect(relativeError(found.standardError, 0.00413507710020616)).toBeLessThan(1e-4);
    expect(relativeError(found.df, 7.24824617748235)).toBeLessThan(1e-4);
    expect(relativeError(pairP(found), 7.29089662665469e-5)).toBeLessThan(1e-3);
    expect(relativeError(pairHalfWidth(found, 0.01), 0.0143033530274526)).toBeLessThan(1e-4);
    // It lies between that of the paired test and that of Welch's test: t.test(n, o, paired = TRUE)$stderr; t.test(n, o)$stderr
    expect(found.standardError).toBeGreaterThan(0.00327777591968962);
    expect(found.standardError).toBeLessThan(0.0143719194645086);
  });
});

describe('an estimate', () => {
  it('of rates that differ by a constant factor is almost exact', () => {
    const found = estimate(
      OLD,
      OLD.map((rate) => rate * 1.05),
    );
    expect(found.logRatio).toBeCloseTo(Math.log(1.05), 12);
    expect(found.standardError).toBeLessThan(1e-6);
    expect(found.df).toBeCloseTo(7, 3);
  });

  it('of constant rates is exact, and its p-value 0 or 1', () => {
    const same = estimate([5, 5, 5], [5, 5, 5]);
    expect(same).toEqual({ runs: 3, logRatio: 0, standardError: 0, df: 4 });
    expect(pairP(same)).toBe(1);
    expect(pairHalfWidth(same, 0.05)).toBe(0);
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
