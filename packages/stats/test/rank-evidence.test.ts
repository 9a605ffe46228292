import type { RatePair } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { fixedEvidence } from '../src/fixed-evidence.ts';
import {
  atLimit,
  fewestRuns,
  pairFloor,
  permutationFloor,
  supportedP,
  supportedPairP,
} from '../src/rank-evidence.ts';
import { estimatePairs, pairP } from '../src/sequential/pair-estimate.ts';

const LEVEL = 0.05;
/** Some runs that hardly vary. */
const sharp = (rate: number, runs = 3) => Array.from({ length: runs }, (_, run) => rate * (1 + run / 1e4));
const welchP = (pair: RatePair) => fixedEvidence(pair).p ?? 1;
const sequentialP = (pairs: { readonly old: readonly number[]; readonly new: readonly number[] }) => {
  const found = estimatePairs(pairs);
  return found === null ? 1 : pairP(found);
};

describe('a p-value that ranks support', () => {
  it('is that of the ranks if runs are in opposite modes and hardly vary', () => {
    const opposite = { old: sharp(100), new: sharp(90) };
    expect(welchP(opposite)).toBeLessThan(1e-6);
    // R: wilcox.test(new, old): 2 / choose(6, 3)
    expect(supportedP(welchP(opposite), LEVEL, opposite, -1)).toBeCloseTo(0.1, 12);
  });

  it('is not below that of a permutation test, where ranks are an approximation', () => {
    const constant = { old: [5, 5, 5, 5], new: [6, 6, 6, 6] };
    // R: wilcox.test(new, old, exact = FALSE) has 0.0131; 2 / choose(8, 4) is more.
    expect(supportedP(0, LEVEL, constant, 1)).toBeCloseTo(2 / 70, 12);
  });

  it('is not below that of all pairs in one direction, where the rounds of the runs are known', () => {
    const rounds = { old: [0, 1, 2, 3, 4], new: [0, 1, 2, 3, 4] };
    const opposite = { old: sharp(100, 5), new: sharp(90, 5) };
    expect(supportedP(1e-9, LEVEL, { ...opposite, rounds }, -1)).toBe(pairFloor(5));
  });

  it('is that of signed ranks if one subject is slow in the rounds in which the other one is fast', () => {
    // One of each two runs is 10 % slower: the new one in eight of ten rounds.
    const isNewSlow = [true, true, false, true, true, true, false, true, true, true];
    const rates = (isSlow: (isNew: boolean) => boolean) =>
      isNewSlow.map((isNew, at) => (isSlow(isNew) ? 90 : 100) + at / 10);
    const pair = { old: rates((isNew) => !isNew), new: rates((isNew) => isNew) };
    const rounds = { old: [...isNewSlow.keys()], new: [...isNewSlow.keys()] };
    expect(supportedP(0.001, LEVEL, pair, -1)).toBeLessThan(LEVEL);
    expect(supportedP(0.001, LEVEL, { ...pair, rounds }, -1)).toBeGreaterThan(LEVEL);
  });

  it('stays the same if ranks are stronger evidence', () => {
    const many = { old: sharp(100, 30), new: sharp(90, 30) };
    expect(supportedP(1e-9, LEVEL, many, -1)).toBe(1e-9);
  });

  it('stays the same at or above the level, because it decides nothing', () => {
    const opposite = { old: sharp(100), new: sharp(90) };
    expect(supportedP(LEVEL, LEVEL, opposite, -1)).toBe(LEVEL);
    expect(supportedP(0.06, LEVEL, opposite, -1)).toBe(0.06);
    expect(supportedPairP(LEVEL, opposite)).toBe(LEVEL);
  });

  it('is 1 if ranks show the other direction', () => {
    const faster = { old: sharp(100, 9), new: sharp(110, 9) };
    expect(supportedP(0.01, LEVEL, faster, 1)).toBeLessThan(0.05);
    expect(supportedP(0.01, LEVEL, faster, -1)).toBe(1);
    // Most pairs are slower, and the mean of the logarithms is higher.
    const outliers = { old: sharp(100, 9), new: [...sharp(90, 7), 1e6, 1e6] };
    expect(supportedPairP(0.01, outliers)).toBe(1);
  });

  it('is below a level no more often than that level, although each process draws one of two modes', () => {
    const runs = 5;
    const modes = (choice: number, rate: number) =>
      sharp(rate, runs).map((each, run) => each * (Math.floor(choice / 2 ** run) % 2 === 0 ? 1 : 0.9));
    // All ways in which equal subjects can draw their modes.
    const draws = Array.from({ length: 4 ** runs }, (_, choice) => ({
      old: modes(choice % 2 ** runs, 100),
      new: modes(Math.floor(choice / 2 ** runs), 100.005),
    }));
    const share = (p: (draw: (typeof draws)[number]) => number, level: number) =>
      draws.filter((draw) => p(draw) < level).length / draws.length;
    const supported = (draw: RatePair) =>
      supportedP(welchP(draw), LEVEL, draw, Math.sign((fixedEvidence(draw).means?.ratio ?? 1) - 1));
    const supportedPair = (draw: (typeof draws)[number]) => supportedPairP(sequentialP(draw), draw);
    // Without ranks, the sharpest draws are extremely strong evidence.
    for (const raw of [welchP, sequentialP]) expect(share(raw, 1e-4)).toBeGreaterThan(1e-3);
    for (const level of [1e-4, 0.005, 0.01, LEVEL]) {
      for (const p of [supported, supportedPair]) expect(share(p, level)).toBeLessThanOrEqual(level);
    }
  });
});

describe('a p-value of pairs that ranks support', () => {
  it('is that of the ranks if pairs are in opposite modes and hardly vary', () => {
    const opposite = { old: sharp(100), new: sharp(90) };
    expect(sequentialP(opposite)).toBeLessThan(1e-6);
    expect(supportedPairP(sequentialP(opposite), opposite)).toBeCloseTo(pairFloor(3), 12);
  });

  it('is that of the signed ranks if both runs of a pair share a drift', () => {
    const drift = Array.from({ length: 10 }, (_, run) => 100 * 1.3 ** run);
    const pairs = { old: drift, new: drift.map((rate, run) => rate * (0.95 + run / 1e4)) };
    expect(sequentialP(pairs)).toBeLessThan(1e-6);
    // Ranks without regard to pairs show nothing.
    expect(supportedP(1e-9, LEVEL, pairs, -1)).toBeGreaterThan(0.5);
    expect(supportedPairP(sequentialP(pairs), pairs)).toBeCloseTo(2 / 2 ** 10, 12);
  });

  it('stays the same if ranks are stronger evidence', () => {
    expect(supportedPairP(1e-3, { old: sharp(100, 12), new: sharp(90, 12) })).toBe(1e-3);
  });
});

it('rates at a limit are the old ones with the limit as the factor, and the new ones as they are', () => {
  expect(atLimit({ old: [100, 200], new: [3] }, 0.95, 1)).toEqual({ old: [96, 191], new: [3] });
});

it.each([0.05, 0.05 / 100, 0.25, 1e-9])('the fewest runs support a p-value below the level %d', (level) => {
  const [pairs, independent] = [fewestRuns(level, true), fewestRuns(level, false)];
  expect(pairFloor(pairs)).toBeLessThan(level);
  expect(pairFloor(pairs - 1)).toBeGreaterThanOrEqual(level);
  expect(permutationFloor(independent, independent)).toBeLessThan(level);
  expect(independent).toBeLessThanOrEqual(pairs);
});

describe('the floor of the p-value of a permutation test', () => {
  // R: 2 / choose(nOld + nNew, nOld)
  it.each([
    [2, 2, 1 / 3],
    [3, 3, 0.1],
    [4, 7, 2 / 330],
    [6, 6, 2 / 924],
    [30, 30, 1.6911233892e-17],
  ])('is two of the divisions of %d + %d runs', (nOld, nNew, expected) => {
    expect(permutationFloor(nOld, nNew) / expected).toBeCloseTo(1, 9);
    expect(permutationFloor(nNew, nOld)).toBe(permutationFloor(nOld, nNew));
  });

  it('is at most 1, however few the runs are', () => {
    expect(permutationFloor(0, 5)).toBe(1);
    expect(permutationFloor(1, 1)).toBeCloseTo(1, 12);
  });

  it('is 0 where it is too small for a number', () => {
    expect(permutationFloor(1000, 1000)).toBe(0);
  });
});
