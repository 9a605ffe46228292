import { type Comparison, type ComparisonList, compareFixed } from '@bench-cli/stats';
import type { MeasuredStartUp } from '@bench-cli/stats/internal';
import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { startUpLabel, startUpLines, startUpSentence } from '../src/start-up-text.ts';

const around = (mean: number) => [-2, -1, 0, 1, 2].map((offset) => mean + offset);

/** A list of comparisons that are 20 % slower (at least 19.8 %), or not different, each with its start-up. */
function listOf(startUps: readonly Comparison['startUp'][], mean = 800): ComparisonList {
  const list = compareFixed(startUps.map((_, n) => pairOf('a.js', `n=${n + 1}`, around(1000), around(mean))));
  const comparisons = list.comparisons.map((comparison, at) => {
    const startUp = startUps[at];
    return startUp === undefined ? comparison : { ...comparison, startUp };
  });
  return { ...list, comparisons };
}

const startUp = (
  label: MeasuredStartUp['label'],
  share: number | null = null,
  laterRatio?: number,
): MeasuredStartUp => ({
  ...{ label, share, old: 0.5, new: 0.6, cpuRatio: 0.8 },
  later: {
    ratio:
      laterRatio === undefined
        ? null
        : { ratio: laterRatio, low: laterRatio - 0.01, high: laterRatio + 0.01 },
    adjustedP: laterRatio === undefined ? null : 0.001,
    survives: laterRatio !== undefined,
  },
});

const sentenceOf = (of: Comparison['startUp'], mean?: number) => {
  const [comparison] = listOf([of], mean).comparisons;
  return comparison && startUpSentence(comparison);
};

describe('the sentence of a comparison', () => {
  it.each([
    [
      startUp('start-up', 0.8),
      'slower by at least 19 % at n=1, of which 80 % is start-up; later operations: undecided',
    ],
    [
      startUp('start-up', 1.04),
      'slower by at least 19 % at n=1, of which 100 % is start-up; later operations: undecided',
    ],
    [
      startUp('final speed', 0.1, 0.7),
      'slower by at least 19 % at n=1, of which 10 % is start-up; later operations: slower by 30 %',
    ],
    [
      startUp('opposite', null, 1.1),
      'start-up slower, later operations faster by 10 %: slower by at least 19 % at n=1',
    ],
    [
      startUp('opposite', null, 0.5),
      'start-up faster, later operations slower by 50 %: slower by at least 19 % at n=1',
    ],
    [
      startUp('undecided'),
      'slower by at least 19 % at n=1; how much of it is start-up is undecided; later operations: undecided',
    ],
  ])('%j', (of, expected) => {
    expect(sentenceOf(of)).toBe(`${expected}; start-up is 50 % of the old runs and 60 % of the new ones`);
  });

  it('says why start-up is unknown', () => {
    expect(sentenceOf({ label: 'unknown', reason: 'it failed' })).toBe(
      'slower by at least 19 % at n=1; its start-up is unknown: it failed',
    );
    expect(sentenceOf(undefined)).toBe('');
  });

  it('claims no share of a difference that was not found', () => {
    expect(sentenceOf(startUp('undecided'), 1000)).toMatch(
      /^no difference at n=1; later operations: undecided;/,
    );
  });
});

describe('the lines of a list', () => {
  it('are none without start-up', () => {
    expect(startUpLines(listOf([undefined]))).toEqual([]);
  });

  it('have a sentence for each of a few comparisons, and the meaning of the words', () => {
    const lines = startUpLines(listOf([startUp('start-up', 0.8), undefined, startUp('mixed', 0.5)]));
    expect(lines.map((line) => line.slice(0, 11))).toEqual(['a.js n=1: s', 'a.js n=3: s', 'Start-up: w']);
  });

  it('count many comparisons, and name those whose parts are opposite', () => {
    const many = [
      ...Array.from({ length: 5 }, () => startUp('start-up', 0.8)),
      startUp('opposite', null, 1.1),
    ];
    const lines = startUpLines(listOf(many));
    expect(lines[0]).toMatch(/^a\.js n=6: start-up slower/);
    expect(lines[1]).toBe(
      'What 6 differences are in: start-up 5, opposite 1; start-up is 55 % of these runs in the median. Geometric means of these cases: CPU time of the main thread slower by 20 % (ratio 0.80 to 0.80).',
    );
    expect(lines).toHaveLength(3);
  });

  it('tell of many comparisons what their means show, which no single one does', () => {
    const later = [1.1, 1.2, 1.3, 1.1, 1.2, 1.3];
    const lines = startUpLines(listOf(later.map((ratio) => startUp('undecided', null, ratio))));
    expect(lines[0]).toMatch(
      'CPU time of the main thread slower by 20 % (ratio 0.80 to 0.80); later operations faster by 20 % (ratio 1.11 to 1.29).',
    );
    const apart = [0.5, 2, 0.5, 2, 0.5, 2].map((ratio) => startUp('undecided', null, ratio));
    expect(startUpLines(listOf(apart))[0]).toMatch('later operations undecided (ratio 0.');
  });
});

it('is a label in a table only where it is known', () => {
  const labels = [
    startUp('mixed', 0.5),
    startUp('undecided'),
    { label: 'unknown', reason: '' } as const,
    undefined,
  ];
  expect(listOf(labels).comparisons.map(startUpLabel)).toEqual(['mixed', '', '', '']);
});
