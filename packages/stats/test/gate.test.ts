import { nameCase, type SamplePair } from '@bench-cli/results';
import type { MetricDescription } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { errorWith } from '../../../test/support/error-with.ts';
import { oldAndNew, pairOf, runsOfPairs } from '../../../test/support/pairs.ts';
import { compareFixed, compareMetrics, fixedMethod } from '../src/fixed-method.ts';
import { applyGates, parseGate } from '../src/gate.ts';
import { isDifference, type Judgement } from '../src/judgement.ts';
import { boundaryFor } from '../src/sequential/boundary.ts';
import { sequentialP } from '../src/sequential/sequential-comparison.ts';
import { DEFAULT_MAX_RUNS, SequentialFamily } from '../src/sequential/sequential-family.ts';
import { compareSequentially } from '../src/sequential/sequential-method.ts';

/** Eight runs of each subject, which vary by 2 % at a spread of 1. */
function pairWith(changePercent: number, spread = 1, name = 'a.js'): SamplePair {
  const around = (mean: number) => [-3, -2, -1, -0.3, 0.3, 1, 2, 3].map((offset) => mean + spread * offset);
  return pairOf(name, '', around(100), around(100 + changePercent));
}

/** Runs that do not vary, as many as it takes for one comparison to be certain. */
function constant(old: number, new_: number): SamplePair {
  const six = (rate: number) => Array.from({ length: 6 }, () => rate);
  return pairOf('a', '', six(old), six(new_));
}

function crossed(pairs: readonly SamplePair[], ...gates: readonly string[]): string[] {
  const result = applyGates(compareFixed(pairs), gates.map(parseGate));
  return result.crossed.map(({ comparison }) => comparison.benchmark);
}

describe('a gate', () => {
  it.each([
    // The interval of the ratio is about ±2.2 %.
    ['slower>=5%', -10, 1],
    ['slower>=5%', -6, 0],
    ['slower>=5%', 10, 0],
    ['slower', -3, 1],
    ['slower', -1, 0],
    ['faster>=5%', 10, 1],
    ['faster>5%', 6, 0],
    ['faster', 3, 1],
  ])('%s by a change of %d %% is crossed %d times', (gate, change, times) => {
    expect(crossed([pairWith(change)], gate)).toHaveLength(times);
  });

  it('includes the threshold only with >=', () => {
    const metric = { name: 'memory', title: '', unit: 'B', better: 'less', negligible: 0 } as const;
    const exact = [constant(100, 125)];
    const count = (gate: string) =>
      applyGates(compareFixed(exact), [parseGate(gate)], compareMetrics([{ metric, pairs: exact }])).crossed
        .length;
    expect([count('memory>=25%'), count('memory>25%')]).toEqual([1, 0]);
    expect(crossed([constant(100, 100)], 'slower>=0%')).toEqual([]);
  });

  it('is not crossed by so few runs that processes may have drawn opposite modes by chance', () => {
    const three = [pairOf('a', '', [100, 100, 101], [50, 50, 51])];
    for (const gate of ['slower', 'slower>=5%']) {
      const { crossed, uncertain } = applyGates(compareFixed(three), [parseGate(gate)]);
      expect([...crossed, ...uncertain]).toEqual([]);
    }
  });

  it('without a threshold is crossed by the verdict, and not corrected again with the others', () => {
    const pairs = [pairWith(-5, 1, 'a'), pairWith(5, 1, 'b'), pairWith(0, 1, 'c')];
    expect(crossed(pairs, 'slower')).toEqual(['a']);
    expect(crossed(pairs, 'slower', 'faster')).toEqual(['a', 'b']);
    const [comparison] = compareFixed(pairs).comparisons;
    const result = applyGates(compareFixed(pairs), ['slower', 'faster>10%'].map(parseGate));
    expect(result.crossed.map(({ adjustedP }) => adjustedP)).toEqual([comparison?.p]);
  });

  it('requires a tenth more than its threshold of rates that never vary, because their steps are not known', () => {
    const pairs = [pairOf('a', '', Array(10).fill(100), Array(10).fill(75))];
    const session = { runs: runsOfPairs(pairs), subjects: oldAndNew, options: {} };
    for (const list of [compareFixed(pairs), compareSequentially(session, pairs)]) {
      const count = (gate: string) => applyGates(list, [parseGate(gate)]).crossed.length;
      // 0.75 / 0.9 is a loss of 16.7 %.
      expect([count('slower>=16%'), count('slower>=17%')]).toEqual([1, 0]);
    }
  });

  it('corrects the test of its threshold for the number of comparisons', () => {
    const loss = pairWith(-8, 1, 'loss');
    const others = Array.from({ length: 99 }, (_, at) => pairWith(-4, 1, `other${at}`));
    expect(crossed([loss], 'slower>=5%')).toEqual(['loss']);
    const all = applyGates(compareFixed([loss, ...others]), [parseGate('slower>=5%')]);
    expect(all.crossed).toEqual([]);
    expect(all.uncertain.map(({ comparison }) => comparison.benchmark)).toEqual(['loss']);
    // The test of a ratio of 1 is another one, which finds a difference in all of them.
    const { comparisons } = compareFixed([loss, ...others]);
    expect(comparisons.every(({ verdict }) => isDifference(verdict))).toBe(true);
  });

  it('has a p-value that says how certain it is, after the correction', () => {
    const around = (mean: number) => [-3.5, -2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 3.5].map((it) => mean + it);
    const pairs = [91.5, 89, 100].map((mean, at) => pairOf(`${at}`, '', around(100), around(mean)));
    const list = compareFixed(pairs);
    const ps = applyGates(list, [parseGate('slower>=5%')]).crossed.map((it) => it.adjustedP);
    const alone = list.comparisons.map((each) => fixedMethod.pBeyond(each, 0.95) ?? 1);
    const [a = 1, b = 1, c] = alone;
    expect([a < 0.05 && b < a, c]).toEqual([true, 1]);
    expect(ps).toEqual([expect.closeTo((a * 3) / 2, 9), expect.closeTo(b * 3, 9)]);
  });

  it('in each direction is one test of each comparison', () => {
    const pairs = [pairWith(-10, 1, 'a'), pairWith(10, 1, 'b')];
    expect(crossed(pairs, 'slower>=5%', 'faster>=5%')).toEqual(['a', 'b']);
    const p = (...gates: readonly string[]) =>
      applyGates(compareFixed(pairs.slice(0, 1)), gates.map(parseGate)).crossed[0]?.adjustedP;
    expect(p('slower>=5%', 'faster>=5%')).toBe(p('slower>=5%'));
  });

  it('lists comparisons without an interval as unjudged', () => {
    const list = compareFixed([pairOf('a', '', [100], [1])]);
    const unjudged = list.comparisons.map((comparison) => ({ comparison, list }));
    expect(applyGates(list, [parseGate('slower')])).toEqual({ crossed: [], uncertain: [], unjudged });
  });

  it.each(['slower>=5', 'rate>5%', 'alloc>5', 'slower<5%', '', undefined])('is not "%s"', (text) => {
    expect(() => Reflect.apply(parseGate, undefined, [text])).toThrow(errorWith('GATE'));
  });
});

describe('a gate of a metric', () => {
  const alloc = { name: 'alloc', title: '', unit: 'B', better: 'less', negligible: 1 } as const;
  const rates = compareFixed([pairWith(0, 1, 'a')]);
  const judge = (pairs: readonly SamplePair[], gates: readonly string[], metric: MetricDescription = alloc) =>
    applyGates(rates, gates.map(parseGate), compareMetrics([{ metric, pairs }]));
  const more = { ...alloc, better: 'more' } as const;

  it.each<[string, SamplePair, string, boolean, MetricDescription?]>([
    ['a loss beyond the threshold', pairWith(10), 'alloc>5%', true],
    ['a loss that may be within the threshold', pairWith(6), 'alloc>5%', false],
    ['a gain', pairWith(-10), 'alloc', false],
    ['a loss of another metric', pairWith(10), 'cpu>5%', false],
    ['less of a metric of which more is better', pairWith(-10), 'alloc>5%', true, more],
    ['more of a metric of which more is better', pairWith(10), 'alloc>5%', false, more],
    ['a constant amount from 0 on', constant(0, 16), 'alloc>5%', true],
    ['varying from 0', pairOf('a', '', Array(6).fill(0), [16, 15, 17, 15.5, 16.5, 16.2]), 'alloc>5%', true],
    ...['alloc>5%', 'alloc'].flatMap((gate): [string, SamplePair, string, boolean][] => [
      ['a negligible amount', constant(0.1, 0.9), gate, false],
      ['a negligible amount from 0 on', constant(0, 0.9), gate, false],
      ['more than a negligible amount', constant(0.1, 1.2), gate, true],
      ['more than a negligible amount from 0 on', constant(0, 1.2), gate, true],
    ]),
  ])('judges %s', (_, pair, gate, isCrossed, metric) => {
    expect(judge([pair], [gate], metric).crossed).toHaveLength(isCrossed ? 1 : 0);
  });

  it('takes each name of a metric', () => {
    const metrics = ['branch-misses', 'p99.9', 'hitRate'];
    expect(metrics.map((name) => parseGate(`${name}>=5%`).metric)).toEqual(metrics);
  });

  it('judges amounts that stay 0', () => {
    expect(judge([constant(0, 0)], ['alloc>5%'])).toEqual({ crossed: [], uncertain: [], unjudged: [] });
  });

  it('does not make a rate cross whose own correction leaves it undecided, however many metrics cross', () => {
    const weak = pairWith(-7, 2.5, 'weak');
    const list = compareFixed([weak, ...Array.from({ length: 9 }, (_, at) => pairWith(0, 1, `same ${at}`))]);
    const pairs = Array.from({ length: 40 }, (_, at) => ({
      ...constant(100, 150),
      ...nameCase({ benchmark: `${at}`, configuration: {} }),
    }));
    const metrics = compareMetrics([{ metric: alloc, pairs }]);
    const { crossed } = applyGates(list, ['slower>=1%', 'alloc>5%'].map(parseGate), metrics);
    const [comparison] = list.comparisons.filter(({ benchmark }) => benchmark === 'weak');
    expect([comparison?.isFound, comparison?.verdict]).toEqual([true, 'undecided']);
    expect(crossed.some((each) => each.comparison === comparison)).toBe(false);
    expect(crossed.length).toBe(40);
  });

  it('does not pass with a single run', () => {
    expect(judge([pairOf('a', '', [1], [2])], ['alloc']).unjudged).toMatchObject([
      { comparison: { metric: alloc } },
    ]);
  });

  it('is corrected together with the other gates', () => {
    const [loss, more] = [pairWith(-10, 1, 'a'), pairWith(10, 1, 'a')];
    const list = compareFixed([loss]);
    const p = (...gates: readonly string[]) =>
      applyGates(
        list,
        gates.map(parseGate),
        compareMetrics([{ metric: alloc, pairs: [more, loss] }]),
      ).crossed.map(({ comparison, adjustedP }) => [comparison.metric?.name ?? 'rate', adjustedP] as const);
    const [, alone = 1] = p('slower>5%')[0] ?? [];
    expect(new Map(p('slower>5%', 'alloc>5%')).get('rate')).toBeGreaterThan(alone);
    expect(p('slower>5%', 'alloc>5%').map(([name]) => name)).toEqual(['rate', 'alloc']);
  });
});

describe('adaptive runs', () => {
  const boundary = boundaryFor(DEFAULT_MAX_RUNS);
  const old = [100, 101, 99, 100.5, 99.5, 100.2, 99.8, 100.1, 99.7, 100.4, 99.6, 100.3];
  const slow = old.map((rate, at) => 0.82 * rate + (at % 3) / 10);
  const ratio = { ratio: 0.82, low: 0.8, high: 0.84, confidence: 0.95 };
  const p = (figures: Partial<Judgement>) =>
    sequentialP(
      { ...new SequentialFamily().judgement(''), ratio, samples: { old, new: slow }, ...figures },
      0.95,
      boundary,
    );

  it('count only looks on the side of the gate as evidence', () => {
    expect(p({})).toBeGreaterThan(0);
    expect(p({})).toBeLessThan(0.01);
    const turned = { old: [...old, 100, 100, 100], new: [...slow, 1000, 1000, 1000] };
    expect(p({ samples: turned })).toBe(p({}));
  });

  it('cross no gate if they ended without a difference, or if the interval does not say so', () => {
    expect(p({ reason: 'equivalence' })).toBe(1);
    expect(p({ ratio: { ...ratio, high: 0.96 } })).toBe(1);
  });
});
