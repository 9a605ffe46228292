import { nameCase } from '@bench-cli/results';
import { compareFixed, compareMetrics, compareSequentially } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { oldAndNew, pairOf, runsOfPairs } from '../../../test/support/pairs.ts';
import { empty, session } from '../../../test/support/recording.ts';
import { summarize, summaryLines } from '../src/summary.ts';

const names = new Map([
  ['old', 'node@22'],
  ['new', 'node@26'],
]);
const SPREAD = [-3, -2, -1, 0, 1, 2, 3];

/** What the correction guarantees. */
const guarantee = 'if nothing had changed, at most 5 in 100 such reports would show a difference';

/** The sentence for comparisons with these improvements; null: undecided. */
function sentence(...improvements: (number | null)[]): string {
  const pairs = improvements.map((improvement, n) => {
    const around = (mean: number) => SPREAD.map((offset) => mean + offset * (improvement === null ? 100 : 1));
    return pairOf('a.js', `n=${n}`, around(1000), around(1000 * (1 + (improvement ?? 0))));
  });
  return summarize({ list: compareFixed(pairs), names });
}

/** The values of a sentence in their order: names, verdicts, counts and bounds, without the guarantee. */
const valuesOf = (text: string) =>
  text
    .split('; ')[0]
    ?.match(
      /node@\d+|faster|slower|as fast|without difference|undecided|less|both|all|\d+(?:\.\d+)?(?: %| times)?/g,
    )
    ?.join(' ');

const unfinished = { kind: 'unfinished' } as const;

describe('summarize', () => {
  it.each([
    [[], 'node@22 node@26'],
    [[0.051], 'node@26 faster node@22 4.8 %'],
    [[1.234], 'node@26 faster node@22 122 %'],
    [[146], 'node@26 faster node@22 146 times'],
    [[-0.051], 'node@26 slower node@22 4.8 %'],
    [[0], 'node@26 as fast node@22 2 %'],
    [[null], 'node@26 faster slower node@22 undecided'],
    [
      [0.051, 0.2, 0.314, -0.04, -0.03, 0, null, null],
      'node@26 faster node@22 3 8 4.8 % 31 % slower 2 2.7 % 3.7 % without difference 1 2 % undecided 2',
    ],
    [[0.1, 0.1], 'node@26 faster node@22 both 9.7 %'],
    [[-0.1, 0], 'node@26 slower node@22 1 2 9.7 % without difference 1 2 %'],
    [[0, 0, null], 'node@26 as fast node@22 2 3 2 % undecided 1'],
    [[0.1, 0.2, 0.3], 'node@26 faster node@22 all 3 9.7 % 29 %'],
    [[null, null], 'node@26 faster slower node@22 undecided both'],
    [[0.02, 0.3], 'node@26 faster node@22 both 29 % less 2 %'],
    [[-0.01, -0.02], 'node@26 slower node@22 both less 2 %'],
    [[0.02, 0.02, 0.1, 0.3], 'node@26 faster node@22 all 4 9.7 % 2 29 % less 2 % 2'],
  ])('%j', (improvements, expected) => {
    expect(valuesOf(sentence(...improvements))).toBe(expected);
  });

  it('counts a difference that does not survive the correction as undecided', () => {
    const old = SPREAD.map((offset) => 1000 + offset * 10);
    const shifted = (n: number, by: number) =>
      pairOf(
        'a.js',
        `n=${n}`,
        old,
        old.map((rate) => rate + by),
      );
    const weak = shifted(0, 36);
    const others = Array.from({ length: 9 }, (_, n) => shifted(n + 1, n));
    const list = compareFixed([weak, ...others]);
    expect(list.comparisons[0]).toMatchObject({ verdict: 'undecided', isFound: true });
    expect(summarize({ list, names })).toMatch(
      /; one of the undecided seems to differ, but among 10 comparisons that can be chance\.$/,
    );
    expect(summarize({ list: compareFixed([weak]), names })).toBe(
      'node@26 is faster than node@22, perhaps by less than 2 %.',
    );
  });

  it('gives no size to a difference from a rate of 0', () => {
    const from = (old: number, n: number) =>
      pairOf(
        'a.js',
        `n=${n}`,
        Array(10).fill(old),
        SPREAD.map((offset) => 100 + offset).concat(101, 102, 103, 104),
      );
    const list = (...olds: readonly number[]) => summarize({ list: compareFixed(olds.map(from)), names });
    expect(list(0)).toMatch(/^node@26 is faster than node@22[.;]/);
    expect(list(0, 10)).toMatch(/^node@26 is faster than node@22 in both cases \(by at least \d+ % in one\)/);
  });

  it('says how many comparisons the correction counts if fewer are listed', () => {
    const around = (mean: number) => [...SPREAD, 4, 5, 6, 7, 8].map((offset) => mean + offset);
    const pairs = [1, 2].map((n) => pairOf('a.js', `n=${n}`, around(1000), around(1100)));
    const session = { runs: runsOfPairs(pairs), subjects: oldAndNew, options: {}, cases: 7 };
    expect(summarize({ list: compareSequentially(session, pairs.slice(1)), names }).split('; ')[1]).toBe(
      'if nothing had changed in any of 7 comparisons, of which 1 is listed, at most 5 in 100 such reports would show a difference.',
    );
  });

  it('does not count comparisons without a test, for which nothing is corrected', () => {
    const around = (mean: number) => SPREAD.map((offset) => mean + 10 * offset);
    const pairs = [1, 2, 3].map((n) => pairOf('a.js', `n=${n}`, around(1000), around(n === 1 ? 1036 : 1000)));
    const list = compareFixed([...pairs, pairOf('a.js', 'n=4', [1], [1])]);
    expect(summarize({ list, names })).toMatch(/ among 3 comparisons\b(?!, of)/);
  });

  it('names the cases in which a side did not run, which are not undecided', () => {
    const list = compareFixed([
      pairOf('a.js', 'n=1', [100, 104], [101, 103]),
      pairOf('a.js', 'n=2', [100], []),
    ]);
    expect(summarize({ list, names })).toMatch(
      /^Whether node@26 is faster or slower than node@22 is undecided.*\. node@26 did not run in 1 case: a\.js n=2\.$/,
    );
  });

  it.each([
    ['a time limit', 60_000, 0, /The time was up before 1 case had a result/],
    ['a time limit, and failed runs', 60_000, 2, /^All runs of node@26 failed in 1 case: a.js/],
    ['no time limit', undefined, 0, /1 case did not run/],
    ['a time limit, before its end', 60_000, 0, /not finished. 1 case did not run/, [unfinished]],
  ])('says why a configuration has no result, after %s', (_, budgetMs, failed, text, more = []) => {
    const runs = { margin: 0.03, maxRuns: 30, budgetMs };
    const recordings = [{ ...empty, session: { ...session, request: { ...session.request, runs } } }];
    const missing = {
      ...nameCase({ benchmark: 'a.js', configuration: {} }),
      ...({ kind: 'no run', reportedKeys: [], subjects: ['new'] } as const),
      failures: [{ subject: 'new', failed, runs: failed }],
    };
    expect(summarize({ list: compareFixed([]), names, recordings, missing: [missing, ...more] })).toMatch(
      text,
    );
  });

  it('rounds down what a difference amounts to at least, but not a round number', () => {
    const constant = (rate: number) => Array.from({ length: 7 }, () => rate);
    const sizeOf = (rate: number) =>
      summarize({ list: compareFixed([pairOf('a.js', '', constant(1000), constant(rate))]), names }).split(
        ' by ',
      )[1];
    // Rates that never vary are assumed to have steps of a tenth.
    expect([1200, 1051, 1059.9, 2239].map((least) => sizeOf(least / 0.9))).toEqual(
      ['20 %', '5.1 %', '5.9 %', '123 %'].map((least) => `at least ${least}.`),
    );
  });

  it.each([
    [
      'one configuration: which of them has which verdict',
      [{ w: 0, x: 0, y: 1100, z: 1200 }],
      [
        'y and z are faster than main by at least 9.6 % in each, 19 % in one.',
        'Whether w and x are faster or slower than main is undecided.',
      ],
    ],
    [
      'several configurations: how each of them compares with the baseline',
      [
        { x: 0, y: 1100 },
        { x: 0, y: 1100 },
      ],
      [
        'Whether x is faster or slower than main is undecided in both cases.',
        'y is faster than main in both cases (by at least 9.6 %).',
      ],
    ],
  ])('says of several subjects in %s', (_, configurations, sentences) => {
    const around = (mean: number, spread: number) => SPREAD.map((offset) => mean + offset * spread);
    const pairs = configurations.flatMap((means, n) =>
      Object.entries(means).map(([subject, mean]) => ({
        ...pairOf('a.js', `n=${n}`, around(1000, 1), mean === 0 ? around(1000, 100) : around(mean, 1)),
        subject,
      })),
    );
    expect(summaryLines({ list: compareFixed(pairs), names: new Map([['old', 'main']]) })).toEqual([
      ...sentences,
      `I${guarantee.slice(1)}.`,
    ]);
  });

  it('gives the guarantee of adaptive runs', () => {
    const spread = [...SPREAD, 4, 5, 6, 7];
    const pairs = [1, 1.3].map((ratio, n) =>
      pairOf(
        'a.js',
        `n=${n}`,
        spread.map((it) => 1000 + it),
        spread.map((it) => ratio * (1000 - it)),
      ),
    );
    const session = { runs: runsOfPairs(pairs), subjects: oldAndNew, options: {} };
    expect(summarize({ list: compareSequentially(session, pairs), names })).toContain(guarantee);
  });

  it('has the differences of metrics, with the amounts of the largest', () => {
    const around = (mean: number) => SPREAD.map((offset) => mean * (1 + offset / 1000));
    const amount = { unit: 'B', better: 'less', negligible: 0 } as const;
    const metric = { name: 'retained', title: 'bytes retained', ...amount };
    const of = (...amounts: readonly (readonly [old: number, new_: number])[]) => {
      const pairs = amounts.map(([old, new_], n) => pairOf('a.js', `n=${n}`, around(old), around(new_)));
      const metrics = compareMetrics([{ metric, pairs }]);
      const lines = summaryLines({ list: compareFixed(pairs), names, metrics });
      return lines.filter((line) => line.startsWith('bytes retained'));
    };
    expect(of([0.3, 50])).toEqual([expect.stringMatching(/ more: 0\.3 B to 50 B\.$/)]);
    expect(of([50, 50])).toEqual([]);
    expect(of([10, 12], [10, 10], [90, 30])).toEqual([
      expect.stringMatching(/ 1 of 3 more and 1 of 3 less, .* a\.js n=2: 90 B to 30 B\.$/),
    ]);
    expect(of([0, 5], [10, 12])).toEqual([
      expect.stringMatching(/ 2 of 2 more, .* a\.js n=0: 0 B to 5 B\.$/),
    ]);
  });

  it('says why comparisons are undecided, if too few runs or failed runs are the reason', () => {
    const steady = [1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007];
    const pair = (n: number, runs: number, failed = 0) => ({
      ...pairOf('a.js', `n=${n}`, steady.slice(0, runs), steady.slice(0, runs)),
      ...(failed > 0 && { failed: { old: 0, new: failed } }),
    });
    const sentenceOf = (...pairs: ReturnType<typeof pair>[]) =>
      summarize({ list: compareFixed(pairs), names });
    expect(sentenceOf(pair(1, 1))).toMatch(/undecided: needs \d+ runs\.$/);
    expect(sentenceOf(pair(1, 8, 1))).toMatch(/undecided: runs failed\.$/);
    expect(sentenceOf(pair(1, 8, 1), pair(2, 8, 2))).toMatch(/undecided in both cases \(runs failed\)/);
    expect(sentenceOf(pair(1, 8, 1), pair(2, 1))).toMatch(/undecided in both cases\./);
    expect(sentenceOf(pair(1, 8))).not.toMatch(/failed|few/);
  });

  it('does not blame the correction for differences that rates without steps would show', () => {
    const constant = (n: number, rate: number) =>
      pairOf('a.js', `n=${n}`, Array(12).fill(1000), Array(12).fill(rate));
    expect(summarize({ list: compareFixed([constant(1, 1001), constant(2, 1002)]), names })).toMatch(
      /undecided in both cases \(the rates never vary\)\.$/,
    );
  });
});
