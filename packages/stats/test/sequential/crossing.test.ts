import { describe, expect, it } from 'vitest';
import { boundaryFor, FIRST_LOOK, type SequentialBoundary } from '../../src/sequential/boundary.ts';
import { crossing, type Look } from '../../src/sequential/crossing.ts';
import { twoSidedNormalP } from '../../src/tail.ts';

const crossingProbability = (looks: readonly Look[]) => crossing(looks).probability;

/** Looks after every run up to the last, each with the z that crosses the boundary there. */
const looksByZ = (count: number, z: (look: number) => number) =>
  Array.from({ length: count }, (_, index) => ({ runs: index + 1, nominalP: twoSidedNormalP(z(index + 1)) }));

// C. Jennison and B. W. Turnbull, "Group Sequential Methods" (2000), tables 2.1 and 2.3, for 5 %.
it.each([
  [2, 2.178, 1.977],
  [3, 2.289, 2.004],
  [4, 2.361, 2.024],
  [5, 2.413, 2.04],
  [10, 2.555, 2.087],
  [20, 2.672, 2.126],
])(
  'boundaries of the literature of %d looks are crossed with a probability of 5 %%',
  (count, pocock, obrienFleming) => {
    expect(crossingProbability(looksByZ(count, () => pocock))).toBeCloseTo(0.05, 3);
    expect(
      crossingProbability(looksByZ(count, (look) => obrienFleming * Math.sqrt(count / look))),
    ).toBeCloseTo(0.05, 3);
  },
);

it.each([0.5, 0.05, 1e-6])('a single look is crossed with its nominal p of %d', (nominalP) => {
  expect(crossingProbability([{ runs: 7, nominalP }])).toBeCloseTo(nominalP, 12);
});

/** Looks after each run from the first look on, at the nominal p of each. */
const looksAt = (most: number, nominalP: (runs: number) => number): readonly Look[] =>
  Array.from({ length: most - FIRST_LOOK + 1 }, (_, index) => {
    const runs = FIRST_LOOK + index;
    return { runs, nominalP: nominalP(runs) };
  });

describe('the boundary that grows with the runs', () => {
  // Python 3, scipy 1.17.1, from the first look on:
  //   r = np.arange(8, most + 1); z = norm.isf(level * np.sqrt(r / most) / 2)
  //   c = np.sqrt(np.minimum.outer(r, r) / np.maximum.outer(r, r))
  //   1 - multivariate_normal.cdf(z, lower_limit=-z, cov=c, maxpts=3_000_000, abseps=1e-9, releps=1e-9)
  it.each([
    [9, 0.05, 0.0637879],
    [9, 0.01, 0.01342008],
    [9, 0.001, 0.001417282],
    [12, 0.05, 0.08867422],
    [12, 0.01, 0.02000254],
    [12, 0.001, 0.002272661],
    [22, 0.05, 0.128172],
    [22, 0.01, 0.03126393],
    [36, 0.05, 0.1541069],
  ])('for %d runs at the level %d', (most, level, expected) => {
    const looks = looksAt(most, (runs) => level * Math.sqrt(runs / most));
    expect(crossingProbability(looks) / expected).toBeCloseTo(1, 3);
    // Between the levels that it computes the boundary interpolates.
    expect(boundaryFor(most).levelOf(level, most) / expected).toBeCloseTo(1, 2);
  });

  it.each([
    [36, 0.05],
    [36, 0.1],
    [20, 0.01],
    [FIRST_LOOK, 0.05],
  ])('is crossed within %d runs with the requested probability %d', (most, error) => {
    const looks = looksAt(most, (runs) => boundaryFor(most).nominalP(error, runs));
    expect(crossingProbability(looks) / error).toBeCloseTo(1, 2);
  });

  it('gives stronger evidence a smaller p-value, never below that of a single look', () => {
    const boundary = boundaryFor(36);
    const weights = Array.from({ length: 170 }, (_, index) => 10 ** (-index / 10));
    const errors = weights.map((weight) => boundary.levelOf(weight, 36));
    expect(errors).toEqual(errors.toSorted((a, b) => b - a));
    for (const [index, error] of errors.entries()) {
      expect(error).toBeGreaterThanOrEqual((weights[index] ?? 1) * (1 - 1e-12));
      expect(error).toBeLessThanOrEqual(1);
    }
  });

  it('has a p-value for extreme evidence, for any number of looks', () => {
    expect(boundaryFor(100).levelOf(1.5e-15, 100)).toBeLessThan(1e-12);
  });

  it.each([
    [[36], 80, 0.045],
    [[36], 37, 0.09],
    [[10], 100, 0.001],
    [[12, 24], 48, 0.02],
  ])(
    'keeps its looks when it is extended from %j to %d runs, and spends half of what is left',
    (former, most, level) => {
      const [whole, before] = [
        boundaryFor(most, former),
        boundaryFor(former.at(-1) ?? 0, former.slice(0, -1)),
      ];
      const looks = (boundary: SequentialBoundary) =>
        looksAt(boundary.maxRuns, (runs) => boundary.nominalP(level, runs));
      expect(looks(whole).slice(0, looks(before).length)).toEqual(looks(before));
      const [total, spent] = [whole, before].map((boundary) => crossingProbability(looks(boundary)) / level);
      // The sum over any number of extensions stays below 1 / 0.9.
      const left = 1 / 0.9 - 1;
      expect((total ?? 0) - (spent ?? 0)).toBeCloseTo(left / 2 ** former.length, 3);
      for (const runs of [FIRST_LOOK, most - 1, most])
        expect(whole.levelOf(whole.nominalP(level, runs), runs) / level).toBeCloseTo(1, 3);
    },
  );

  it('has p-values of 1 and of extreme evidence when it is extended', () => {
    const boundary = boundaryFor(20, [10]);
    expect(boundary.levelOf(0.9, 15)).toBe(1);
    expect(boundary.levelOf(0, 15)).toBeLessThan(1e-9);
  });

  it.each([FIRST_LOOK - 1, 0, -1, 5.5, Number.NaN])('does not exist for %d runs', (most) => {
    expect(() => boundaryFor(most)).toThrow(RangeError);
  });
});
