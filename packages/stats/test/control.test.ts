import { csvResults } from '@bench-cli/results';
import { judgeResults } from '@bench-cli/stats';
import { expect, it } from 'vitest';
import { oldAndNew, pairOf } from '../../../test/support/pairs.ts';
import { isWithinControl } from '../src/judged-results.ts';

const steady = Array.from({ length: 10 }, (_, run) => 1000 + ((run * 7) % 10) / 10);
const times = (factor: number) => steady.map((rate) => rate * factor);

/** Judges changes of the rate beside a control whose rates change too. */
function judged(changes: readonly number[], ofControl: readonly number[]) {
  const pairs = changes.map((change, n) => pairOf('a.js', `n=${n}`, steady, times(change)));
  const control = ofControl.map((change, n) => pairOf('a.js', `n=${n}`, steady, times(change)));
  return judgeResults({ ...csvResults([{ name: '', subjects: oldAndNew, pairs }]), control }).list;
}

it('is the largest difference of the baseline from itself, in either direction', () => {
  const { control } = judged([1, 1, 1], [1.01, 1 / 1.03, 1.02]);
  expect(control).toMatchObject({ configurations: 3, largest: { size: expect.closeTo(0.03, 9) } });
  expect(control?.largest?.comparison.configuration).toEqual({ n: 1 });
});

it('names differences that are not larger, and no others', () => {
  const list = judged([1.02, 1 / 1.02, 1.05, 1], [1.03]);
  expect(list.comparisons.map(({ verdict }) => verdict)).toEqual(['higher', 'lower', 'higher', 'same']);
  expect(list.comparisons.map((each) => isWithinControl(each, list))).toEqual([true, true, false, false]);
});

it('says nothing without runs', () => {
  expect(judged([1.02], [])).not.toHaveProperty('control');
  const single = { ...pairOf('a.js', 'n=0', [1000], [1000]) };
  const { list } = judgeResults({
    ...csvResults([{ name: '', subjects: oldAndNew, pairs: [single] }]),
    control: [single],
  });
  expect(list.control).toEqual({ configurations: 1, largest: null });
});
