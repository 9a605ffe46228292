import {
  applyGates,
  compareInDetail,
  groupComparisons,
  pairsWhere,
  parseGate,
  samplesWhere,
  sortComparisons,
} from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { parseConfiguration } from '../src/configuration.ts';
import { parseCondition } from '../src/select.ts';
import { UsageError } from '../src/usage-error.ts';

const pair = (benchmark: string, configuration: string, old: number[] = [1, 2], new_: number[] = [1, 2]) => ({
  benchmark,
  configuration,
  old,
  new: new_,
});

describe('a configuration', () => {
  it.each([
    ["n=1000 type='fast'", { n: 1000, type: 'fast' }],
    ['n=1000 type="a b=c"', { n: 1000, type: 'a b=c' }],
    [String.raw`s='it\'s' t="\n\x41" u='C:\\d'`, { s: "it's", t: '\nA', u: 'C:\\d' }],
    ["v='12' w=1e3 x=fast y=", { v: '12', w: 1000, x: 'fast', y: '' }],
    ['', {}],
  ])('%s is read', (text, expected) => {
    expect(Object.fromEntries(parseConfiguration(text))).toEqual(expected);
  });
});

describe('where', () => {
  const pairs = [
    pair('a.js', "len=16 encoding='ascii'"),
    pair('a.js', "len=1024 encoding='ascii'"),
    pair('a.js', "len=4096 encoding='utf8'"),
    pair('b.js', 'mode=1'),
  ];
  const left = (...conditions: string[]) =>
    pairsWhere(pairs, conditions.map(parseCondition)).map((it) => `${it.benchmark} ${it.configuration}`);

  it.each([
    [['encoding=ascii'], [0, 1]],
    [["encoding='utf8'"], [2]],
    [['encoding!=ascii'], [2]],
    [['len>=1024'], [1, 2]],
    [['len>1024'], [2]],
    [['len <= 1024'], [0, 1]],
    [['len<1024'], [0]],
    [['len=1.024e3'], [1]],
    [['len>=1024', 'encoding=ascii'], [1]],
    [['benchmark=b.js'], [3]],
  ])('%s keeps %s', (conditions, expected) => {
    expect(left(...conditions)).toEqual(
      expected.map((at) => `${pairs[at]?.benchmark} ${pairs[at]?.configuration}`),
    );
  });

  it.each(['encoding', '=ascii', 'len>=many', 'len~1'])('%s is no condition', (text) => {
    expect(() => parseCondition(text)).toThrow(UsageError);
  });

  it('names the parameters there are when one is unknown', () => {
    expect(() => left('size=1')).toThrow(
      '"size" is no parameter of any configuration: choose one of benchmark, len',
    );
  });

  it('tells when nothing is left', () => {
    expect(() => left('len>1e9')).toThrow('no configuration meets len>1e9');
  });

  it('filters the samples of a scatter', () => {
    const sample = (len: number) => ({ benchmark: 'a', configuration: { len }, rates: [1] });
    expect(samplesWhere([sample(1), sample(2)], [parseCondition('len>1')])).toEqual([sample(2)]);
  });
});

const list = (difference: number, sd = 1) =>
  compareInDetail([
    pair(
      'a.js',
      '',
      [-2, -1, 0, 1, 2].map((x) => 100 + sd * x),
      [-2, -1, 0, 1, 2].map((x) => 100 + difference + sd * x),
    ),
  ]).comparisons;

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
  ])('%s at a difference of %d %%: %s', (gate, difference, expected) => {
    expect(crosses(gate, difference)).toBe(expected);
  });

  it('takes the threshold itself with >= alone', () => {
    const exact = compareInDetail([pair('a', '', [100, 100, 100], [75, 75, 75])]).comparisons;
    expect(applyGates(exact, [parseGate('slower>=25%')]).crossed).toHaveLength(1);
    expect(applyGates(exact, [parseGate('slower>25%')]).crossed).toHaveLength(0);
    const same = compareInDetail([pair('a', '', [100, 100, 100], [100, 100, 100])]).comparisons;
    expect(applyGates(same, [parseGate('slower>=0%')]).crossed).toHaveLength(0);
  });

  it('ignores a loss of 20 % in runs that say little', () => {
    expect(crosses('slower>=5%', -20, 20)).toBe(false);
  });

  it('can leave out what does not survive the correction', () => {
    const [loss] = list(-3);
    if (loss === undefined) throw new Error('no comparison');
    const gates = [parseGate('slower')];
    expect(applyGates([loss], gates, { corrected: true }).crossed).toHaveLength(1);
    expect(applyGates([{ ...loss, adjustedP: 0.06 }], gates, { corrected: true }).crossed).toHaveLength(0);
  });

  it('tells what it cannot judge', () => {
    const { comparisons } = compareInDetail([pair('a', '', [100], [1])]);
    expect(applyGates(comparisons, [parseGate('slower')])).toEqual({ crossed: [], unjudged: comparisons });
  });

  it.each(['slower>=5', 'worse>5%', 'slower<5%', ''])('%s is none', (text) => {
    expect(() => parseGate(text)).toThrow('such as slower>=5%');
  });
});

describe('groups', () => {
  const { comparisons } = compareInDetail([
    pair('a.js', "len=16 kind='x'", [100, 101, 102], [110, 111, 112]),
    pair('a.js', "len=1024 kind='x'", [200, 201, 202], [400, 401, 402]),
    pair('b.js', 'len=16', [100, 101, 102], [50, 51, 52]),
  ]);

  it('are ordered by value, numbers as numbers', () => {
    expect(groupComparisons(comparisons, ['len']).map(({ values }) => values)).toEqual([
      { len: '16' },
      { len: '1024' },
    ]);
    expect(groupComparisons(comparisons, ['benchmark', 'kind']).map(({ values }) => values)).toEqual([
      { benchmark: 'a.js', kind: 'x' },
      { benchmark: 'b.js', kind: '-' },
    ]);
  });

  it('count verdicts and average ratios geometrically', () => {
    const [first] = groupComparisons(comparisons, ['len']);
    expect(first).toMatchObject({ comparisons: 2, verdicts: { faster: 1, slower: 1 } });
    expect(first?.ratio?.ratio).toBeCloseTo(Math.sqrt((111 / 101) * (51 / 101)), 12);
  });

  it('of one comparison have an interval close to its own', () => {
    const [only] = comparisons;
    const [group] = groupComparisons(comparisons.slice(0, 1), ['len']);
    expect(group?.ratio?.low).toBeCloseTo(only?.ratio?.low ?? 0, 3);
    expect(group?.ratio?.high).toBeCloseTo(only?.ratio?.high ?? 0, 3);
  });

  it('have no ratio when a member has none', () => {
    const { comparisons } = compareInDetail([pair('a', 'n=1', [1], [1])]);
    expect(groupComparisons(comparisons, ['n'])[0]?.ratio).toBeNull();
  });
});

describe('the order', () => {
  const { comparisons } = compareInDetail([
    pair('a', '', [100, 101, 102], [120, 121, 122]),
    pair('b', '', [100, 101, 102], [50, 51, 52]),
    pair('c', '', [100, 101, 102], []),
    pair('d', '', [100, 101, 102], [101, 102, 103]),
  ]);
  it.each([
    ['name', 'abcd'],
    ['effect', 'bdac'],
    ['p', 'badc'],
  ] as const)('by %s is %s', (order, expected) => {
    const names = sortComparisons(comparisons, order).map(({ benchmark }) => benchmark);
    expect(names.join('')).toBe(expected);
  });
});
