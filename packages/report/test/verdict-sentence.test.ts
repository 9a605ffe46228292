import { compareFixed, compareSequentially } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { summarize } from '../src/summary.ts';

const names = { oldName: 'node@22', newName: 'node@26' };
const SPREAD = [-3, -2, -1, 0, 1, 2, 3];

/** The sentence for comparisons with these improvements; null: undecided. */
function sentence(...improvements: (number | null)[]): string {
  const pairs = improvements.map((improvement, n) => {
    const around = (mean: number) => SPREAD.map((offset) => mean + offset * (improvement === null ? 100 : 1));
    return pairOf('a.js', `n=${n}`, around(1000), around(1000 * (1 + (improvement ?? 0))));
  });
  return summarize(compareFixed(pairs), names);
}

describe('summarize', () => {
  it.each([
    [[], 'There is nothing to compare between node@22 and node@26.'],
    [[0.051], 'node@26 is faster than node@22 by 5.1 %.'],
    [[1.234], 'node@26 is faster than node@22 by 123 %.'],
    [[-0.051], 'node@26 is slower than node@22 by 5.1 %.'],
    [[0], 'node@26 is as fast as node@22.'],
    [[null], 'Whether node@26 is faster or slower than node@22 is undecided.'],
    [
      [0.051, 0.2, 0.314, -0.04, -0.03, 0, null, null],
      'node@26 is faster than node@22 in 3 of 8 configurations (by 5.1 % to 31 %), slower in 2 (by 3 % to 4 %), without difference in 1 and undecided in 2; of 8 comparisons 0.40 are expected to look different by chance at the 5 % level.',
    ],
    [
      [0.1, 0.1],
      'node@26 is faster than node@22 in both configurations (by 10 %); of 2 comparisons 0.10 are expected to look different by chance at the 5 % level.',
    ],
    [
      [-0.1, 0],
      'node@26 is slower than node@22 in 1 of 2 configurations (by 10 %) and without difference in 1; of 2 comparisons 0.10 are expected to look different by chance at the 5 % level.',
    ],
    [
      [0, 0, null],
      'node@26 is as fast as node@22 in 2 of 3 configurations and undecided in 1; of 3 comparisons 0.15 are expected to look different by chance at the 5 % level.',
    ],
    [
      [0.1, 0.2, 0.3],
      'node@26 is faster than node@22 in all 3 configurations (by 10 % to 30 %); of 3 comparisons 0.15 are expected to look different by chance at the 5 % level.',
    ],
    [
      [null, null],
      'Whether node@26 is faster or slower than node@22 is undecided in both configurations; of 2 comparisons 0.10 are expected to look different by chance at the 5 % level.',
    ],
  ])('%j', (improvements, expected) => {
    expect(sentence(...improvements)).toBe(expected);
  });

  it('counts one expected difference as one', () => {
    expect(sentence(...Array(20).fill(0))).toContain('of 20 comparisons 1.00 is expected');
  });

  it('leaves out the size of the change if the old rate was 0', () => {
    const pairs = [pairOf('a.js', '', [0, 0], [1, 2, 1, 2, 1, 2, 1, 2])];
    expect(summarize(compareFixed(pairs), names)).toBe('node@26 is faster than node@22.');
  });

  it('gives the guarantee of adaptive runs in place of the expected differences', () => {
    const pairs = [1, 1.3].map((ratio, n) =>
      pairOf(
        'a.js',
        `n=${n}`,
        SPREAD.map((it) => 1000 + it),
        SPREAD.map((it) => ratio * (1000 - it)),
      ),
    );
    const runs = pairs.flatMap(({ benchmark, configuration, old, new: new_ }) =>
      SPREAD.flatMap((_, round) => [
        { benchmark, configuration, round, subject: 'old' as const, rate: old[round] ?? 0 },
        { benchmark, configuration, round, subject: 'new' as const, rate: new_[round] ?? 0 },
      ]),
    );
    expect(summarize(compareSequentially(runs, { errorRate: 0.1 }, undefined, pairs), names)).toBe(
      'node@26 is faster than node@22 in 1 of 2 configurations (by 30 %) and without difference in 1; at most 10 % of the differences found are expected to be due to chance.',
    );
  });
});
