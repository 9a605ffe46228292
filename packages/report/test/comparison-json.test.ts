import { type ComparedResults, csvResults, type SamplePair } from '@bench-cli/results';
import { compareFixed, judgeResults } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { comparisonDocument } from '../../../test/support/comparison-document.ts';
import { oldAndNew, pairOf } from '../../../test/support/pairs.ts';
import { empty, run } from '../../../test/support/recording.ts';
import { comparisonJson } from '../src/json/comparison-json.ts';
import { warningGroups } from '../src/warning-groups.ts';

/** The document of pairs, which must fit the schema. */
function documentOf(pairs: readonly SamplePair[], more: Partial<ComparedResults>) {
  const judged = judgeResults({ ...csvResults({ subjects: oldAndNew, pairs }), ...more });
  return comparisonDocument(JSON.stringify(comparisonJson(judged)));
}

/** Rates of 30 runs without outliers, modes or a trend. */
const steady = Array.from({ length: 30 }, (_, run) => 100 + ((run * 7) % 11) / 10);

describe('the document', () => {
  it('has what benchmarks printed', () => {
    const printed = { output: 'out', warnings: '' };
    const recordings = [{ ...empty, runs: [{ ...run, printed }] }];
    const { benchmark, configuration, subject } = run;
    expect(documentOf([], { recordings })).toMatchObject({
      printed: [{ benchmark, configuration, subject, ...printed }],
    });
  });

  it('has words for amounts in the comparisons of metrics, and words for rates in the others', () => {
    const twice = steady.map((value) => 2 * value);
    const pairs = [
      pairOf('a.js', 'n=1', steady, twice),
      pairOf('a.js', 'n=2', twice, steady),
      pairOf('a.js', 'n=3', steady, steady),
      pairOf('a.js', 'n=4', [1], [2]),
    ];
    const metric = { name: 'p99', title: '', unit: 'ns', better: 'less', negligible: 0 } as const;
    const document = documentOf(pairs, { metrics: [{ metric, pairs }] });
    const words = document.comparisons.map(({ verdict }) => verdict);
    expect(words).toEqual(['faster', 'slower', 'no difference', 'undecided']);
    expect(document.metrics?.map(({ comparisons }) => comparisons.map(({ verdict }) => verdict))).toEqual([
      ['more', 'less', 'no difference', 'undecided'],
    ]);
  });
});

describe('warnings', () => {
  it('are grouped by message', () => {
    const list = compareFixed([
      pairOf('b.js', 'n=1', [1], [1, 2]),
      pairOf('a.js', 'n=1', [1], [1, 2]),
      pairOf('c.js', 'n=1', [1, 2], []),
    ]);
    const configuration = { n: 1 };
    const short = ['a.js', 'c.js', 'filtered.js'].map((benchmark) => ({ ...run, benchmark, configuration }));
    const recordings = [{ ...empty, runs: short }];
    expect(warningGroups({ list, recordings }, false)).toMatchObject([
      { kind: 'too-few-runs', names: ['a.js n=1', 'b.js n=1'] },
      { kind: 'short-runs', names: ['a.js n=1', 'c.js n=1'] },
      { kind: 'missing-subject', names: ['c.js n=1'] },
    ]);
  });

  it('about assumptions name each case once, also if both subjects fail', () => {
    const list = compareFixed([
      pairOf('b.js', 'n=1', [1, 2, 3, 4], [1, 2, 3, 4]),
      pairOf('a.js', 'n=1', steady, steady.with(3, 300)),
    ]);
    expect(warningGroups({ list, recordings: [] })).toMatchObject([
      { kind: 'outliers', names: ['a.js n=1'] },
      { kind: 'few-runs', names: ['b.js n=1'] },
    ]);
    expect(warningGroups({ list, recordings: [] }, false)).toEqual([]);
  });
});
