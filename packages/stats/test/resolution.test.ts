import { type ComparedRun, samplePairs } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { oldAndNew, pairOf } from '../../../test/support/pairs.ts';
import { compareFixed, compareMetrics } from '../src/fixed-method.ts';
import { resolutionOf } from '../src/resolution.ts';
import { compareSequentially } from '../src/sequential/sequential-method.ts';

/** Rates of runs of so many ticks of a clock of 1 ms. */
const ticks = (...counts: readonly number[]) => counts.map((count) => 1000 / count);
const times = (count: number, ...rates: readonly number[]) =>
  Array.from({ length: count }, () => rates).flat();
const varied = (mean: number) => [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map((it) => mean * (1 + it / 1e4));

describe('the resolution of rates', () => {
  it.each([
    [
      'is the step of few distinct rates, the larger one of both sides',
      times(5, ...ticks(20, 21)),
      times(5, ...ticks(20, 22)),
      1 / 11,
    ],
    ['is 0 if most rates are distinct', varied(100), varied(101), 0],
    ['is infinite if no rate varies', times(10, 50), times(10, 50), Number.POSITIVE_INFINITY],
    ['is not known from one side alone that does not vary', times(10, 50), varied(50), 0],
    ['ignores errors of rounding', times(5, 0.3, 0.1 + 0.2), times(10, 0.3), Number.POSITIVE_INFINITY],
    ['needs two runs', [50], [50], 0],
  ])('%s', (_, old, new_, expected) => {
    expect(resolutionOf([{ old, new: new_ }])).toBeCloseTo(expected, 9);
  });
});

function judged(old: readonly number[], new_: readonly number[]) {
  const runs = oldAndNew.flatMap((subject) =>
    (subject === 'old' ? old : new_).map(
      (rate, round): ComparedRun => ({ benchmark: 'a', configuration: {}, subject, round, values: { rate } }),
    ),
  );
  const pairs = samplePairs(runs, oldAndNew);
  const lists = [compareFixed(pairs), compareSequentially({ runs, subjects: oldAndNew, options: {} }, pairs)];
  return lists.map(({ comparisons: [comparison] }) => [
    comparison?.verdict,
    comparison?.warnings.map(({ kind }) => kind).join(),
  ]);
}

describe.each([
  ['equal rates', times(10, 50), times(10, 50), 'undecided', 'constant-rates'],
  [
    'equal ticks of a coarse clock',
    times(5, ...ticks(20, 21)),
    times(5, ...ticks(21, 20)),
    'undecided',
    'coarse-rates',
  ],
  [
    'rates that differ by less than the margin and never vary',
    times(10, 100),
    times(10, 100.0001),
    'undecided',
    'constant-rates',
  ],
  [
    'rates that differ by a step',
    times(10, ...ticks(20)),
    [...times(9, ...ticks(21)), ...ticks(20)],
    'undecided',
    'coarse-rates',
  ],
  [
    'rates that differ by more than a step',
    times(5, ...ticks(20, 21)),
    times(5, ...ticks(30, 31)),
    'lower',
    'coarse-rates',
  ],
  ['rates that never vary and differ', times(10, 100), times(10, 150), 'higher', 'constant-rates'],
  ['rates with small steps', times(5, 1000, 1001), times(5, 1001, 1000), 'same', ''],
] as const)('%s', (_, old, new_, verdict, warning) => {
  it(`are ${verdict} by each method, with the warning "${warning}"`, () => {
    expect(judged(old, new_)).toEqual([
      [verdict, warning],
      [verdict, warning],
    ]);
  });
});

it('rates that never vary on machines of different speed are constant', () => {
  const machines = [50, 80].map((rate) => ({ old: times(5, rate), new: times(5, rate) }));
  const [comparison] = compareFixed([
    { ...pairOf('a', '', [...times(5, 50), ...times(5, 80)], [...times(5, 50), ...times(5, 80)]), machines },
  ]).comparisons;
  expect(comparison).toMatchObject({ verdict: 'undecided', warnings: [{ kind: 'constant-rates' }] });
});

it('amounts of metrics are counted, and can be equal', () => {
  const metric = { name: 'alloc', title: '', unit: 'B', better: 'less', negligible: 1 } as const;
  const pair = { key: 'a', benchmark: 'a', configuration: {}, text: '', baseline: 'old', subject: 'new' };
  const [list] = compareMetrics([{ metric, pairs: [{ ...pair, old: times(8, 64), new: times(8, 64) }] }]);
  expect(list?.list.comparisons).toMatchObject([{ verdict: 'same' }]);
});
