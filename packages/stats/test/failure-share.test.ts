import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { failuresDiffer, fisherP } from '../src/failure-share.ts';
import { compareFixed } from '../src/fixed-method.ts';

// Sums of exact fractions; the first table is that of R. A. Fisher's tea.
it.each([
  [3, 4, 1, 4, 0.4857142857142857],
  [3, 20, 0, 20, 0.23076923076923078],
  [10, 15, 2, 17, 0.0027631345617513824],
  [1, 30, 7, 30, 0.05231484385878205],
  [0, 5, 5, 5, 0.007936507936507936],
  [50, 1000, 90, 1000, 0.0005876606652318957],
  [2, 9, 3, 14, 1],
])('Fisher’s exact test of %i of %i and %i of %i', (hits, of, otherHits, otherOf, expected) => {
  const a = { hits, of };
  const b = { hits: otherHits, of: otherOf };
  expect(fisherP(a, b)).toBeCloseTo(expected, 12);
  expect(fisherP(b, a)).toBeCloseTo(expected, 12);
});

describe('a pair with failed runs', () => {
  const rates = Array.from({ length: 20 }, (_, run) => 1000 + ((run * 7) % 11) / 10);
  it.each([
    [undefined, false, 'same'],
    [{ old: 0, new: 1 }, true, 'undecided'],
    [{ old: 1, new: 0 }, true, 'undecided'],
    [{ old: 1, new: 1 }, false, 'same'],
    [{ old: 2, new: 5 }, false, 'same'],
    [{ old: 1, new: 12 }, true, 'undecided'],
  ])('is never the same where their shares differ: %j', (failed, differ, verdict) => {
    const pair = { ...pairOf('a.js', '', rates, rates), ...(failed && { failed }) };
    expect(failuresDiffer(pair)).toBe(differ);
    const [comparison] = compareFixed([pair]).comparisons;
    expect(comparison?.verdict).toBe(verdict);
    const kinds = comparison?.warnings.map(({ kind }) => kind) ?? [];
    expect(kinds.includes('failed-runs')).toBe(differ);
  });

  it('that count has a warning for each subject with some', () => {
    const pair = { ...pairOf('a.js', '', rates, rates), ignoredFailures: { old: 0, new: 3 } };
    const [comparison] = compareFixed([pair]).comparisons;
    expect(comparison?.warnings).toMatchObject([
      { kind: 'ignored-failures', subject: 'new', message: expect.stringContaining('3 of 20 runs') },
    ]);
  });
});
