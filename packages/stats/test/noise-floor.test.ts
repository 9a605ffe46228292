import { type ComparedRun, caseOfText, samplePairs } from '@bench-cli/results';
import { expect, it } from 'vitest';
import { oldAndNew } from '../../../test/support/pairs.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { logHalfWidth, noiseFloor } from '../src/method.ts';
import { compareSequentially } from '../src/sequential/sequential-method.ts';

/** The runs of a case, which vary by a share, with a change of their mean. */
function runsOf(name: string, spread: number, change = 0): readonly ComparedRun[] {
  const shares = Array.from({ length: 30 }, (_, at) => 1 + (((at * 7) % 30) / 15 - 1) * spread);
  const runs = (subject: string, mean: number, of: readonly number[]) =>
    of.map((share, round) => ({ ...caseOfText(name, ''), round, subject, values: { rate: mean * share } }));
  return [...runs('old', 100, shares), ...runs('new', 100 * (1 + change), shares.toReversed())];
}

const compared = (...runs: readonly ComparedRun[]) => compareFixed(samplePairs(runs, oldAndNew));

it('is half the width of the interval in half of the comparisons, and in the noisiest one', () => {
  const list = compared(...runsOf('a', 0.1), ...runsOf('b', 0.01), ...runsOf('c', 0.05));
  const width = (name: string) => {
    const { low = 0, high = 0 } = list.comparisons.find((it) => it.benchmark === name)?.ratio ?? {};
    return Math.sqrt(high / low) - 1;
  };
  const floor = { median: expect.closeTo(width('c'), 9), largest: expect.closeTo(width('a'), 9) };
  expect(noiseFloor(list)).toEqual(floor);
  expect(width('b')).toBeGreaterThan(0);
});

it('is a difference that such runs find, and half of it one that they miss', () => {
  const { median = 0 } = noiseFloor(compared(...runsOf('a', 0.05))) ?? {};
  const verdict = (change: number) => compared(...runsOf('a', 0.05, change)).comparisons[0]?.verdict;
  expect([verdict(median * 1.1), verdict(-median * 1.1)]).toEqual(['higher', 'lower']);
  expect(verdict(median / 2)).toBe('undecided');
});

it('does not count adaptive comparisons that ended with a difference, or comparisons without an interval', () => {
  const sequential = (...runs: readonly ComparedRun[]) =>
    compareSequentially({ runs, subjects: oldAndNew, options: {} }, samplePairs(runs, oldAndNew));
  const [found, open] = [runsOf('a', 0.05, 0.5), runsOf('b', 0.05)];
  expect(noiseFloor(sequential(...found))).toBe(null);
  expect(noiseFloor(sequential(...found, ...open))).not.toBe(null);
  expect(noiseFloor(compared(...open.filter(({ round }) => round === 0)))).toBe(null);
  expect(logHalfWidth({ ratio: 1, low: 0, high: 2 })).toBe(null);
  expect(logHalfWidth({ ratio: 1, low: 1, high: Number.POSITIVE_INFINITY })).toBe(null);
});
