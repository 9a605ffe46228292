import { describe, expect, it } from 'vitest';
import { randomStreams } from '../simulation/random.ts';
import { signedRankP } from '../src/rank-test.ts';
import { relativeError } from './r-figures.ts';

const minus = (a: readonly number[], b: readonly number[]) => a.map((value, at) => value - (b[at] ?? 0));

// The depression scores of the help of R's wilcox.test.
const FIRST = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3];
const SECOND = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29];

// R: wilcox.test(FIRST, SECOND, paired = TRUE). scipy 1.17.1: wilcoxon(differences, method='exact').pvalue
const figures: readonly (readonly [string, number, readonly number[]])[] = [
  ["R's example", 0.0390625, minus(FIRST, SECOND)],
  ['5 pairs in one direction', 0.0625, [1, 2, 3, 4, 5]],
  ['9 pairs in one direction', 0.00390625, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [
    '20 pairs',
    0.01068878173828125,
    [12, -3, 5, 7, -1, 9, -4, 15, 2, -6, 20, 8, -10, 11, 13, 17, 19, -14, 22, 25],
  ],
  [
    '36 pairs',
    0.005692560313036665,
    [
      -0.8, 0.31, 1.2, -0.05, 0.62, 2.1, -1.7, 0.44, 0.93, 1.05, -0.2, 0.77, 1.9, -0.66, 0.15, 0.58, -1.1,
      1.4, 0.36, -0.47, 2.6, 0.84, -0.12, 1.63, 0.27, 0.7, -0.9, 1.33, 0.51, -0.28, 0.99, 0.4, -0.6, 1.15,
      0.08, 2.2,
    ],
  ],
  [
    '60 pairs',
    0.0030525133271284144,
    [
      -0.751, -0.062, 1.112, -0.951, -0.976, 1.374, 1.48, 2.043, 0.123, 1.248, 0.836, 0.538, 1.111, 0.602,
      2.098, 1.006, -0.182, 1.119, 1.238, -1.509, 0.632, 0.285, 0.304, -0.821, -0.954, 1.611, 1.729, 1.843,
      -0.442, -0.661, 0.066, 0.847, 1.253, 0.828, 0.677, 0.293, -0.187, 1.128, -1.06, 1.994, -0.177, -1.652,
      0.729, 0.582, 1.338, 1.16, 0.035, 1.236, -0.316, 0.561, -1.135, -0.389, 0.139, -0.739, 1.441, 2.905,
      0.004, -0.186, -1.378, 0.402,
    ],
  ],
];

/** The share of all choices of signs whose sum of ranks against the direction is at most the observed one, twice. */
function enumeratedP(differences: readonly number[], sign: number): number {
  const nonzero = differences.filter((difference) => difference !== 0);
  const sizes = nonzero.map(Math.abs);
  const ranks = sizes.map((size) => {
    const [below, equal] = [sizes.filter((it) => it < size).length, sizes.filter((it) => it === size).length];
    return below + (equal + 1) / 2;
  });
  const against = (isAgainst: (at: number) => boolean) =>
    ranks.reduce((sum, rank, at) => sum + (isAgainst(at) ? rank : 0), 0);
  const observed = against((at) => (nonzero[at] ?? 0) * sign < 0);
  const choices = Array.from({ length: 2 ** ranks.length }, (_, choice) =>
    against((at) => Math.floor(choice / 2 ** at) % 2 === 1),
  );
  return Math.min(1, (2 * choices.filter((sum) => sum <= observed).length) / choices.length);
}

describe('the signed rank test', () => {
  it.each(figures)('has the p-value of other implementations: %s', (_, p, differences) => {
    expect(relativeError(signedRankP(differences, 1), p)).toBeLessThan(1e-9);
    const swapped = differences.map((difference) => -difference);
    expect(relativeError(signedRankP(swapped, -1), p)).toBeLessThan(1e-9);
  });

  it('is exact with ties and with pairs that do not differ', () => {
    const { uniform } = randomStreams(3).next().value;
    for (let sample = 0; sample < 60; sample++) {
      const pairs = 1 + Math.floor(10 * uniform());
      const differences = Array.from({ length: pairs }, () => Math.floor(9 * uniform()) - 3);
      for (const sign of [1, -1]) {
        expect(signedRankP(differences, sign)).toBeCloseTo(enumeratedP(differences, sign), 12);
      }
    }
  });

  it('is no evidence of a difference in the other direction, or without pairs that differ', () => {
    expect(signedRankP(minus(FIRST, SECOND), -1)).toBe(1);
    expect(signedRankP([0, 0, 0], 1)).toBe(1);
    expect(signedRankP([], 1)).toBe(1);
  });

  it('ignores the order of the pairs, and pairs that do not differ', () => {
    const differences = minus(FIRST, SECOND);
    expect(signedRankP([0, ...differences.toReversed(), 0], 1)).toBe(signedRankP(differences, 1));
  });
});
