import { caseOfText, groupCases } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import {
  applyGates,
  compareFixed,
  meanRatio,
  parseGate,
  sortComparisons,
  verdictCounts,
} from '../src/index.ts';

const pair = (benchmark: string, text: string, old: number[], new_: number[]) => ({
  ...caseOfText(benchmark, text),
  old,
  new: new_,
});

const compare = (...pairs: readonly ReturnType<typeof pair>[]) => compareFixed(pairs).comparisons;

const list = (difference: number, sd = 1) =>
  compare(
    pair(
      'a.js',
      '',
      [-2, -1, 0, 1, 2].map((x) => 100 + sd * x),
      [-2, -1, 0, 1, 2].map((x) => 100 + difference + sd * x),
    ),
  );

describe('a gate', () => {
  const crosses = (gate: string, difference: number, sd?: number) =>
    applyGates(list(difference, sd), [parseGate(gate)]).crossed.length === 1;

  it.each([
    // 5 runs with a standard deviation of 1.6: the interval of the ratio is about ±2.3 %.
    ['slower>=5%', -10, true],
    ['slower>=5%', -6, false],
    ['slower>=5%', 10, false],
    ['slower', -3, true],
    ['slower', -1, false],
    ['faster>=5%', 10, true],
    ['faster>5%', 6, false],
    ['faster', 3, true],
  ])('%s is crossed by a difference of %d %%: %s', (gate, difference, expected) => {
    expect(crosses(gate, difference)).toBe(expected);
  });

  it('includes the threshold only with >=', () => {
    const exact = compare(pair('a', '', [100, 100, 100], [75, 75, 75]));
    expect(applyGates(exact, [parseGate('slower>=25%')]).crossed).toHaveLength(1);
    expect(applyGates(exact, [parseGate('slower>25%')]).crossed).toHaveLength(0);
    const same = compare(pair('a', '', [100, 100, 100], [100, 100, 100]));
    expect(applyGates(same, [parseGate('slower>=0%')]).crossed).toHaveLength(0);
  });

  it('ignores a loss of 20 % in noisy runs', () => {
    expect(crosses('slower>=5%', -20, 20)).toBe(false);
  });

  it('can ignore what does not survive the correction', () => {
    const [loss] = list(-3);
    if (loss === undefined) throw new Error('no comparison');
    const gates = [parseGate('slower')];
    expect(applyGates([loss], gates, { corrected: true }).crossed).toHaveLength(1);
    expect(applyGates([{ ...loss, survives: false }], gates, { corrected: true }).crossed).toHaveLength(0);
  });

  it('lists comparisons without an interval as unjudged', () => {
    const comparisons = compare(pair('a', '', [100], [1]));
    expect(applyGates(comparisons, [parseGate('slower')])).toEqual({ crossed: [], unjudged: comparisons });
  });

  it.each(['slower>=5', 'worse>5%', 'slower<5%', ''])('is not "%s"', (text) => {
    expect(() => parseGate(text)).toThrow(expect.objectContaining({ code: 'ERR_BENCH_GATE' }));
  });
});

describe('a group of comparisons', () => {
  const comparisons = compare(
    pair('a.js', "len=16 kind='x'", [100, 101, 102], [110, 111, 112]),
    pair('a.js', "len=1024 kind='x'", [200, 201, 202], [400, 401, 402]),
    pair('b.js', 'len=16', [100, 101, 102], [50, 51, 52]),
  );

  it('has a count of each verdict, and a geometric mean of the ratios', () => {
    const [{ members } = { members: [] }] = groupCases(comparisons, ['len']);
    expect(members).toHaveLength(2);
    expect(verdictCounts(members)).toMatchObject({ faster: 1, slower: 1 });
    expect(meanRatio(members)?.ratio).toBeCloseTo(Math.sqrt((111 / 101) * (51 / 101)), 12);
  });

  it('of one comparison has an interval close to that of the comparison', () => {
    const close = compare(pair('a', '', [100, 101, 102], [102, 103, 104]));
    const only = close[0]?.judgement.ratio;
    const interval = meanRatio(close)?.interval;
    expect(interval?.low).toBeCloseTo(only?.low ?? 0, 3);
    expect(interval?.high).toBeCloseTo(only?.high ?? 0, 3);
  });

  it('has no mean ratio when a member has no ratio', () => {
    expect(meanRatio(compare(pair('a', 'n=1', [1], [1])))).toBeNull();
  });
});

describe('the order', () => {
  const comparisons = compare(
    pair('a', '', [100, 101, 102], [120, 121, 122]),
    pair('b', '', [100, 101, 102], [50, 51, 52]),
    pair('c', '', [100, 101, 102], []),
    pair('d', '', [100, 101, 102], [101, 102, 103]),
  );
  it.each([
    ['name', 'abcd'],
    ['effect', 'bdac'],
    ['p', 'badc'],
  ] as const)('by %s is %s', (order, expected) => {
    const names = sortComparisons(comparisons, order).map(({ benchmark }) => benchmark);
    expect(names.join('')).toBe(expected);
  });
});
