import { groupCases, type SamplePair } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { pairOf as pair } from '../../../test/support/pairs.ts';
import { compareFixed, fixedMethod } from '../src/fixed-method.ts';
import { sortComparisons, verdictCounts } from '../src/internal.ts';

const compare = (...pairs: readonly SamplePair[]) => compareFixed(pairs).comparisons;
const { meanRatio } = fixedMethod;

const around = (mean: number, spread = 1) =>
  [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5].map((offset) => mean + spread * offset);

describe('a group of comparisons', () => {
  const comparisons = compare(
    pair('a.js', "len=16 kind='x'", around(101), around(111)),
    pair('a.js', "len=1024 kind='x'", around(201), around(401)),
    pair('b.js', 'len=16', around(101), around(51)),
  );

  it('has a count of each verdict, and a geometric mean of the ratios', () => {
    const [{ members } = { members: [] }] = groupCases(comparisons, ['len']);
    expect(members).toHaveLength(2);
    expect(verdictCounts(members)).toMatchObject({ higher: 1, lower: 1 });
    expect(meanRatio(members)?.ratio).toBeCloseTo(Math.sqrt((111 / 101) * (51 / 101)), 12);
  });

  it('of one comparison has an interval close to that of the comparison', () => {
    const close = compare(pair('a', '', [100, 101, 102], [102, 103, 104]));
    const only = close[0]?.ratio;
    const interval = meanRatio(close);
    expect(interval?.low).toBeCloseTo(only?.low ?? 0, 3);
    expect(interval?.high).toBeCloseTo(only?.high ?? 0, 3);
  });

  it('has no mean ratio when a member has no ratio', () => {
    expect(meanRatio(compare(pair('a', 'n=1', [1], [1])))).toBeNull();
  });
});

describe('the order', () => {
  const comparisons = compare(
    pair('a', '', around(100), around(120)),
    pair('b', '', around(100), around(50)),
    pair('c', '', around(100), []),
    pair('d', '', around(100), around(101)),
    pair('e', '', around(100), around(150, 18.5)),
  );
  it('is that of the certain changes', () => {
    // e has the largest estimate, but its interval begins below that of a.
    expect(sortComparisons(comparisons).map(({ benchmark }) => benchmark)).toEqual([...'bdeac']);
  });
});
