import { compareFixed } from '@bench-cli/stats';
import { expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { compareRFigures, starLines, starsOf } from '../src/table/compare-r.ts';

it.each([
  [0.05, ''],
  [0.0499, '*'],
  [0.01, '*'],
  [0.0099, '**'],
  [0.001, '**'],
  [0.00099, '***'],
])('p = %d has the stars "%s"', (p, stars) => {
  expect(starsOf(p)).toBe(stars);
});

it.each([
  ['one run of each subject', [100], [200], { improvement: 1, p: null, accuracies: null }],
  ['no old run', [], [1, 2], { improvement: null, p: null, accuracies: null }],
  ['an old mean of 0', [0, 0], [1, 2], { improvement: null, accuracies: null }],
  ['rates that never vary', [5, 5], [6, 6], { improvement: 0.2, p: 0, accuracies: [0, 0, 0] }],
])('%s has the figures that exist', (_, old, new_, figures) => {
  expect(compareRFigures({ old, new: new_ })).toMatchObject(figures);
});

it.each([1, 2])(
  'the stars of %i comparisons that ranks do not support are said to be those of Welch alone',
  (count) => {
    const old = [1009, 996, 988, 988, 996, 991, 1011, 993];
    const new_ = [1010, 1024, 1002, 990, 1007, 1015, 1007, 1010];
    const pairs = [1, 2].map((n) => pairOf('a.js', `n=${n}`, old, n <= count ? new_ : old));
    const { comparisons } = compareFixed(pairs);
    expect(comparisons[0]?.verdict).toBe('undecided');
    expect(starLines(comparisons)).toEqual([expect.stringContaining(` ${count} undecided comparison`)]);
    expect(starLines(comparisons.slice(count))).toEqual([]);
  },
);
