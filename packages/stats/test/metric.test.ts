import type { MetricDescription } from '@bench-cli/results/recording';
import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { compareFixed, compareMetrics } from '../src/fixed-method.ts';
import { amountWords, rateWords, verdictWord } from '../src/verdict-word.ts';

const common = { title: '', unit: 'ns', better: 'less', negligible: 0 } as const;
const metric = (name: string): MetricDescription => ({ name, ...common });
const around = (mean: number, spread = 1) =>
  [-2.5, -1.5, -0.5, 0.5, 1.5, 2.5].map((offset) => mean + spread * offset);
const more = pairOf('a.js', '', around(100), around(200));

describe('a comparison of amounts', () => {
  it('is more or less of its metric, and never faster or slower', () => {
    const less = pairOf('b.js', '', around(200), around(100));
    const words = compareMetrics([{ metric: metric('p99'), pairs: [more, less] }]).flatMap(({ list }) =>
      list.comparisons.map((each) => [each.metric?.name, each.verdict, verdictWord(each)]),
    );
    expect(words).toEqual([
      ['p99', 'higher', 'more'],
      ['p99', 'lower', 'less'],
    ]);
    expect(compareFixed([more, less]).comparisons.map(verdictWord)).toEqual(['faster', 'slower']);
    expect({ ...amountWords, higher: 'faster', lower: 'slower' }).toEqual(rateWords);
  });

  it('has warnings about its metric', () => {
    const pairs = [pairOf('a.js', '', Array(6).fill(0), Array(6).fill(3))];
    const messages = compareMetrics([{ metric: metric('gc'), pairs }]).flatMap(({ list }) =>
      list.comparisons.flatMap(({ warnings }) => warnings.map(({ message }) => message)),
    );
    const texts = ['the same gc', 'a mean gc of 0'].map((text) => expect.stringContaining(text));
    expect(messages).toEqual(texts);
    expect(messages.join()).not.toMatch(/\brates?\b|faster|slower/);
  });
});

describe('the metrics of a session', () => {
  const same = Array.from({ length: 9 }, (_, at) => pairOf(`${at}.js`, '', around(100), around(100)));
  const metrics = [
    { metric: metric('p50'), pairs: [more] },
    { metric: metric('p99'), pairs: same },
  ];

  it('are one family, whose p-values are corrected for all of them', () => {
    const [p50, p99] = compareMetrics(metrics).map(({ list }) => list);
    const [alone] = compareFixed([more]).comparisons;
    expect(p50?.comparisons[0]?.p).toBeCloseTo(10 * (alone?.p ?? 1), 12);
    expect([p50, p99].map((list) => list?.discoveries)).toEqual([
      { tested: 1, corrected: 10, found: 1, significant: 1 },
      { tested: 9, corrected: 10, found: 0, significant: 0 },
    ]);
  });
});
