import { describe, expect, it } from 'vitest';
import { FIRST_LOOK } from '../../src/sequential/boundary.ts';
import { expectedSessions } from '../../src/sequential/found-change.ts';

/** From so many pairs a deviation is known nearly exactly. */
const many = 400;

const changeOf = (deviation: number, mostPairs: number, size: number, knownPairs = many) =>
  expectedSessions([{ deviation, knownPairs }], mostPairs, size).change;

/** Of one case, with a noise of 5 %. */
const usual = changeOf(0.05, 36, 1);

describe('the change that sessions find', () => {
  it('is that of a t-test of as many pairs with a power of 80 %, and at most half more for its looks', () => {
    // The quantiles of t with 35 degrees of freedom at 97.5 %, and of the normal distribution at 80 %.
    const ofOneLook = ((2.03 + 0.84) * 0.05) / Math.sqrt(36);
    expect(Math.log1p(usual) / ofOneLook).toBeGreaterThan(1);
    expect(Math.log1p(usual) / ofOneLook).toBeLessThan(1.5);
  });

  it('grows with the noise, with fewer runs and with the number of cases', () => {
    expect(changeOf(0.1, 36, 1)).toBeGreaterThan(usual);
    expect(changeOf(0.05, 12, 1)).toBeGreaterThan(usual);
    expect(changeOf(0.05, 36, 50)).toBeGreaterThan(usual);
  });

  it('is larger if the noise is known from few pairs, by so much that 80 % of sessions still find it', () => {
    // In 20 % of cases the deviation is more than 1.35 times as large: the root of 7 / 3.82, the quantile of chi-squared.
    const factor = Math.log1p(changeOf(0.05, 36, 1, 8)) / Math.log1p(usual);
    expect(factor).toBeGreaterThan(1.05);
    expect(factor).toBeLessThan(1.35);
    expect(changeOf(0.05, 36, 1, 100)).toBeCloseTo(usual, 3);
  });

  it('is one that sessions find in the noise of all recorded ones, quiet and noisy', () => {
    const of = (...deviations: readonly number[]) => {
      const noises = deviations.map((deviation) => ({ deviation, knownPairs: many }));
      return expectedSessions(noises, 36, 1).change;
    };
    // Four of five sessions are quiet, and 80 % are to find the change.
    expect(of(0.05, 0.05, 0.05, 0.05, 1)).toBeGreaterThan(usual);
    expect(of(0.05, 0.05, 0.05, 0.05, 1)).toBeLessThan(3 * usual);
    expect(of(0.05, 0.1)).toBeGreaterThan(usual);
    expect(of(0.05, 0.1)).toBeLessThan(of(0.1));
    expect(of(0.05, 0.05)).toBe(usual);
  });

  it('needs the evidence that a session without a time limit needs at the same pair', () => {
    expect(changeOf(0.05, FIRST_LOOK, 1)).toBe(Number.POSITIVE_INFINITY);
    // A session that planned twelve pairs would find 4.9 %.
    expect(changeOf(0.05, 12, 1)).toBeCloseTo(0.066, 3);
  });

  it('is near the margin with little noise, because sessions then end with no difference', () => {
    const { change, pairs } = expectedSessions([{ deviation: 0.001, knownPairs: many }], 36, 1);
    expect(change).toBeGreaterThan(0.015);
    expect(change).toBeLessThan(0.021);
    expect(pairs).toBe(8);
  });
});
