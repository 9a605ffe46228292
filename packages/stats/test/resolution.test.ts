import { describe, expect, it } from 'vitest';
import { oldAndNew, pairOf, runsOfPairs } from '../../../test/support/pairs.ts';
import { caseAt, judgeAdaptively, judgeFixedRuns } from '../simulation/command.ts';
import { randomStreams } from '../simulation/random.ts';
import { compareFixed, compareMetrics } from '../src/fixed-method.ts';
import { applyGates, parseGate } from '../src/gate.ts';
import { resolutionOf } from '../src/resolution.ts';
import { compareSequentially } from '../src/sequential/sequential-method.ts';

/** Rates of runs of so many ticks of a clock of 1 ms. */
const ticks = (...counts: readonly number[]) => counts.map((count) => 1000 / count);
const times = (count: number, ...rates: readonly number[]) =>
  Array.from({ length: count }, () => rates).flat();
const varied = (mean: number) => [-4, -3, -2, -1, 0, 1, 2, 3, 4, 5].map((it) => mean * (1 + it / 1e4));

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
])('the resolution of rates %s', (_, old, new_, expected) => {
  expect(resolutionOf([{ old, new: new_ }])).toBeCloseTo(expected, 9);
});

function judged(old: readonly number[], new_: readonly number[]) {
  const pairs = [pairOf('a', '', old, new_)];
  const session = { runs: runsOfPairs(pairs), subjects: oldAndNew, options: {} };
  const lists = [compareFixed(pairs), compareSequentially(session, pairs)];
  return lists.map(({ comparisons: [comparison] }) => [
    comparison?.verdict,
    comparison?.warnings.map(({ kind }) => kind).join(),
  ]);
}

describe.each([
  ['equal rates', times(10, 50), times(10, 50), 'undecided', 'constant-rates'],
  ['equal coarse ticks', times(5, ...ticks(20, 21)), times(5, ...ticks(21, 20)), 'undecided', 'coarse-rates'],
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
  ['more than a step apart', times(5, ...ticks(20, 21)), times(5, ...ticks(30, 31)), 'lower', 'coarse-rates'],
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

describe.each([0.1, 0.2, 0.6])('a clock with 20 ticks a run, which vary by %d ticks', (deviation) => {
  it.each([1, 1.01, 1.03])('has intervals that contain a loss of a factor %d, by all rules', (loss) => {
    const random = randomStreams(3).next().value;
    const outcomes = Array.from({ length: 40 }, () => {
      const length = 20 + 2 * random.uniform();
      const rates = (factor: number) =>
        Float64Array.from({ length: 36 }, () => {
          const count = factor * length + deviation * random.normal();
          return 1000 / Math.round(count);
        });
      const rounded = new Map(Object.entries({ old: rates(1), new: rates(loss) }));
      const cases = [{ of: caseAt(0), rates: rounded }];
      return [judgeAdaptively(cases), judgeFixedRuns(cases, 30), judgeFixedRuns(cases, 8)].map(
        ({ comparisons: [comparison] }) => comparison,
      );
    }).flat();
    // The steps of rates that never vary are not known.
    const known = outcomes.filter((each) => each?.warnings.every(({ kind }) => kind !== 'constant-rates'));
    const missed = known.filter((each) => {
      const { low = 0, high = 0 } = each?.ratio ?? {};
      return low > 1 / loss || high < 1 / loss;
    });
    const overstated = known.filter((each) => (each?.leastChange ?? 0) < 1 / loss - 1);
    expect(known.length).toBeGreaterThan(40);
    expect(missed.length / known.length).toBeLessThan(0.05);
    expect(overstated.length / known.length).toBeLessThan(0.05);
  });
});

it('the interval of each method is a step wide or more, and a gate needs that', () => {
  const [old, new_] = [ticks(...times(10, 20, 21)), ticks(...times(10, 22, 23))];
  const list = compareFixed([pairOf('a', '', old, new_)]);
  const [comparison] = list.comparisons;
  const { ratio = 0, low, high } = comparison?.ratio ?? {};
  expect([low, high]).toEqual([expect.closeTo((ratio * 20) / 21, 9), expect.closeTo((ratio * 21) / 20, 9)]);
  expect(comparison?.leastChange).toBeCloseTo((ratio * 21) / 20 - 1, 9);
  const crossed = (text: string) => applyGates(list, [parseGate(text)]).crossed.length;
  expect([crossed('slower>=3%'), crossed('slower>=6%')]).toEqual([1, 0]);
});

describe.each([
  // Rates, the ends of the interval, and the least change.
  ['one tick of 20', ticks(20), ticks(19), [1, (20 / 19) ** 2], null],
  ['two ticks of 20', ticks(20), ticks(22), [(20 / 22) ** 2, 1], null],
  ['a tenth, two ticks of 20', ticks(20), ticks(18), [1, (20 / 18) ** 2], null],
  ['more than a tenth', [100], [150], [1.35, 1.5 / 0.9], 0.35],
  ['more than a tenth less', [100], [50], [0.45, 0.5 / 0.9], 0.5 / 0.9 - 1],
] as const)('rates that never vary and differ by %s', (_, old, new_, [low, high], least) => {
  it('have an interval that reaches a step to both sides, by each method', () => {
    const pairs = [pairOf('a', '', times(10, ...old), times(10, ...new_))];
    const session = { runs: runsOfPairs(pairs), subjects: oldAndNew, options: {} };
    for (const { comparisons } of [compareFixed(pairs), compareSequentially(session, pairs)]) {
      const [comparison] = comparisons;
      expect(comparison?.verdict).toBe(high > 1 ? 'higher' : 'lower');
      expect(comparison?.ratio?.low).toBeCloseTo(low, 12);
      expect(comparison?.ratio?.high).toBeCloseTo(high, 12);
      if (least === null) expect(comparison?.leastChange).toBeNull();
      else expect(comparison?.leastChange).toBeCloseTo(least, 12);
    }
  });
});

it('rates of 0 are not known to be the same', () => {
  expect(judged(times(10, 0), times(10, 0)).map(([verdict]) => verdict)).toEqual(['undecided', 'undecided']);
});

it('amounts of metrics are counted, and can be equal', () => {
  const metric = { name: 'alloc', title: '', unit: 'B', better: 'less', negligible: 1 } as const;
  const pair = { key: 'a', benchmark: 'a', configuration: {}, text: '', baseline: 'old', subject: 'new' };
  const [list] = compareMetrics([{ metric, pairs: [{ ...pair, old: times(8, 64), new: times(8, 64) }] }]);
  expect(list?.list.comparisons).toMatchObject([{ verdict: 'same' }]);
});
