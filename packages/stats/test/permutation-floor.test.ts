import { describe, expect, it } from 'vitest';
import { permutationFloor } from '../src/rank-evidence.ts';

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
