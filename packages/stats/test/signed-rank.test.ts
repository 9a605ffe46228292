import { describe, expect, it } from 'vitest';
import { randomStreams } from '../simulation/random.ts';
import { signedRankP } from '../src/rank-test.ts';
import figures from './fixtures/signed-rank.json' with { type: 'json' };
import { relativeError } from './r-figures.ts';

const [{ differences: example } = { differences: [] }] = figures;

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
  it.each(figures)('has the p-value of other implementations: $name', ({ p, differences }) => {
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
    expect(signedRankP(example, -1)).toBe(1);
    expect(signedRankP([0, 0, 0], 1)).toBe(1);
    expect(signedRankP([], 1)).toBe(1);
  });

  it('ignores the order of the pairs, and pairs that do not differ', () => {
    expect(signedRankP([0, ...example.toReversed(), 0], 1)).toBe(signedRankP(example, 1));
  });
});
