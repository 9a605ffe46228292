import { type RatePair, samplePairs } from '@bench-cli/results';
import { describe, expect, it } from 'vitest';
import { oldAndNew, pairOf } from '../../../test/support/pairs.ts';
import { fixedEvidence } from '../src/fixed-evidence.ts';
import { compareFixed } from '../src/fixed-method.ts';
import { ratioInterval } from '../src/ratio.ts';
import { roundPairs } from '../src/round-pairs.ts';
import { relativeError } from './r-figures.ts';

const OLD = [104.2, 98.7, 101.3, 99.1, 103.8, 97.5, 100.9, 102.6];
/** Slow where the old rates are fast. */
const APART = [101.9, 107.3, 105, 104.1, 101.2, 107.9, 99.6, 108.8];
const rounds = { old: [...OLD.keys()], new: [...OLD.keys()] };
const judge = (new_: readonly number[]) => fixedEvidence({ old: OLD, new: new_, rounds });
const welchP = ({ old, new: new_ }: RatePair) => fixedEvidence({ old, new: new_ }).p;

describe('a fixed number of runs', () => {
  it('is charged for rounds in which one subject is slow and the other one fast', () => {
    // scipy 1.17.1: the t of ttest_rel, with half of the degrees of freedom of ttest_ind(equal_var=False), or more of them
    // if the fourth power of the quotient of both t leaves more.
    const { p, verdict, means } = judge(APART);
    expect(relativeError(welchP({ old: OLD, new: APART }), 0.03574092673747032)).toBeLessThan(1e-9);
    expect(relativeError(p, 0.09659497814359984)).toBeLessThan(1e-9);
    expect(verdict).toBe('undecided');
    expect(means && ratioInterval(means)?.low).toBeLessThan(1);
  });

  it('has the p-value of a paired t-test if the rounds are opposites', () => {
    // ttest_rel(210 - old, old)
    const { p } = judge(OLD.map((rate) => 210 - rate));
    expect(relativeError(p, 0.002453584299262458)).toBeLessThan(1e-9);
  });

  it('pairs runs by their rounds where one failed', () => {
    const runs = oldAndNew.flatMap((subject) =>
      (subject === 'old' ? OLD : APART).map((rate, round) => ({
        ...{ benchmark: 'a', configuration: {}, subject, round },
        values: { rate },
      })),
    );
    const failed = runs.filter(({ subject, round }) => subject === 'old' || round !== 3);
    const [pair = { old: [], new: [] }] = samplePairs(failed, oldAndNew);
    expect(roundPairs(pair).map(({ old }) => old)).toEqual(OLD.filter((_, round) => round !== 3));
    expect(relativeError(fixedEvidence(pair).p, 0.13080276663142715)).toBeLessThan(1e-9);
  });

  it.each([
    ['agree', { old: OLD, new: OLD.map((rate, at) => rate + 3 + (at % 3)), rounds }],
    ['are not known', { old: OLD, new: APART }],
  ])('is judged as independent runs if the rounds %s', (_, pair) => {
    expect(fixedEvidence(pair).p).toBe(welchP(pair));
  });

  it('in turns is judged by the paired t-test, and its interval by the same test', () => {
    const inTurns = true as const;
    const opposite = fixedEvidence({ old: OLD, new: OLD.map((rate) => 210 - rate), rounds, inTurns });
    expect(relativeError(opposite.p, 0.002453584299262458)).toBeLessThan(1e-9);
    // Both runs of a round share its moment, which varies by 2.5 %; a difference of 1 % is far below that.
    const faster = OLD.map((rate, at) => 1.01 * rate + (at % 3) / 10);
    const alone = compareFixed([{ ...pairOf('a', '', OLD, faster), rounds }]).comparisons[0];
    const together = compareFixed([{ ...pairOf('a', '', OLD, faster), rounds, inTurns }]).comparisons[0];
    expect([alone?.verdict, together?.verdict, together?.inTurns]).toEqual(['undecided', 'higher', true]);
    expect(together?.ratio?.low).toBeGreaterThan(1.009);
    expect(together?.ratio?.high).toBeLessThan(1.013);
  });

  it('that is too few for its rounds has a warning with the number that is needed', () => {
    const neededFor = (runs: number, cases: number) =>
      compareFixed(
        Array.from({ length: cases }, (_, at) => ({
          ...pairOf(`${at}`, '', [], []),
          old: OLD.slice(0, runs),
          new: OLD.slice(0, runs).map((rate) => (at === 0 ? 2 : 1) * rate),
          rounds: { old: rounds.old.slice(0, runs), new: rounds.old.slice(0, runs) },
        })),
      ).comparisons[0]?.warnings.flatMap((each) => ('neededRuns' in each ? each.neededRuns : []));
    expect([neededFor(5, 1), neededFor(6, 1), neededFor(6, 100)]).toEqual([[6], [], [12]]);
  });
});
