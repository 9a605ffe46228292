import type { Case } from '@bench-cli/results';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../../test/support/recording.ts';
import { anyRates } from '../../../test/support/scripted-rates.ts';
import { eventsIn, runsOf, warningsOf } from '../../../test/support/session-events.ts';
import { benchmark, temporarySuite } from '../../../test/support/suite.ts';
import { type BudgetResult, simulateBudget, typicalCases } from '../simulation/budget.ts';
import { normals, uniforms } from '../simulation/random.ts';
import { givenUpCases } from '../src/execution/given-up.ts';
import { type Need, paceOf, soonest } from '../src/task/pace.ts';

const need = (benchmark: string, durationMs: number, isPromising = true): Need => ({
  case: { benchmark, configuration: {} },
  durationMs,
  isPromising,
});
const names = (needs: readonly Need[], leftMs: number) =>
  soonest(needs, leftMs).map(({ benchmark }) => benchmark);

describe('limited time', () => {
  const needs = [need('long', 500), need('hopeless', 10, false), need('short', 100), need('middle', 200)];

  it('is spent on all cases if it suffices', () => {
    expect(names(needs, 810).sort()).toEqual(['hopeless', 'long', 'middle', 'short']);
  });

  it('is spent on the cases that need the least, and on hopeless ones last', () => {
    expect(names(needs, 809)).toEqual(['short', 'middle', 'long']);
    expect(names(needs, 300)).toEqual(['short', 'middle']);
  });

  it('is spent on one case if it suffices for none', () => {
    expect(names(needs, 1)).toEqual(['short']);
    expect(names([], 1)).toEqual([]);
  });

  const truths = typicalCases(24);
  let whole: BudgetResult;
  beforeAll(() => {
    whole = simulateBudget(truths, undefined, 'all in turns', 1);
  });

  it('decides more cases than if all take turns', () => {
    const budgetMs = whole.spentMs * 0.4;
    const inTurns = simulateBudget(truths, budgetMs, 'all in turns', 1);
    const chosen = simulateBudget(truths, budgetMs, 'soonest first', 1);
    expect(chosen.decidedAtMs.length).toBeGreaterThan(inTurns.decidedAtMs.length * 1.3);
    expect(chosen.decidedAtMs.length).toBeLessThanOrEqual(whole.decidedAtMs.length);
    expect(chosen.spentMs).toBeLessThan(budgetMs + 1000);
  });

  it('brings the first verdicts early, and all of them as soon, without a limit', () => {
    const chosen = simulateBudget(truths, undefined, 'soonest first', 1);
    const at = ({ decidedAtMs }: BudgetResult, share: number) =>
      decidedAtMs[Math.floor(share * (decidedAtMs.length - 1))] ?? Number.NaN;
    expect(at(chosen, 0)).toBeLessThan(at(whole, 0) / 4);
    expect(at(chosen, 0.5)).toBeLessThan(at(whole, 0.5));
    expect(chosen.spentMs).toBeLessThan(whole.spentMs * 1.1);
  });

  const paceFor = (laterRuns: number) => {
    const rule = { maxRuns: 99, margin: 0.02, budgetMs: 1000 };
    const givenUp = givenUpCases(() => ['a', 'b'], false);
    return paceOf(rule, ['a', 'b'], 1, givenUp, 1, laterRuns);
  };
  it.each([
    ['all runs without later ones', 0, 20],
    ['the runs before ten later ones', 10, 10],
    ['half of the runs before many later ones', 1000, 10],
  ])('suffices for %s', (_, laterRuns, expected) => {
    const pace = paceFor(laterRuns);
    let taken = 0;
    for (; !pace.isSpent(); taken++) pace.take({ ...run, round: taken, durationMs: 50 });
    expect(taken).toBe(expected);
  });

  it('begins no round of which less than half is expected to fit', () => {
    const pace = paceFor(0);
    const begun: boolean[] = [];
    for (const durationMs of [300, 300, 200, 200]) {
      begun.push(pace.hasTimeFor(run));
      pace.take({ ...run, subject: begun.length % 2 ? 'a' : 'b', durationMs });
    }
    // Before the fourth run, 200 ms are left for a round of 500 ms.
    expect([...begun, pace.hasTimeFor(run), pace.isSpent()]).toEqual([true, true, true, false, false, true]);
  });

  it('covers the runs that measure metrics', async () => {
    using suite = temporarySuite({ 'g/a.js': benchmark('{ n: [1, 2] }') });
    const subjects = { old: { runtime: process.execPath }, new: { runtime: process.execPath } };
    const runs = { maxRuns: 8, budgetMs: 1 };
    const options = { subjects, allowSame: true, runs, metrics: ['alloc'], scripted: anyRates() };
    const events = await eventsIn(suite, options);
    expect(runsOf(events).length).toBeGreaterThan(0);
    expect(runsOf(events, 'metrics')).toEqual([]);
    expect(warningsOf(events)).toContainEqual(
      expect.stringMatching(/^the time limit is 0 seconds, .* all results \(32\)/),
    );
    expect(warningsOf(events)).toContainEqual(
      expect.stringMatching(/^the time limit left out 48 runs .*--budget/),
    );
  });

  it.each([
    [undefined, /^the time limit ended the session with 2 of 2 results undecided/],
    // Of a subject with one open pair, many can be decided.
    [true, /^the time limit ended the session before all pairs were clear/],
  ])('says what it left undecided, if all pairs count: %s', async (allPairs, expected) => {
    using suite = temporarySuite({ 'g/a.js': benchmark('{ n: [1] }') });
    const subjects = { a: {}, b: {}, c: {} };
    const runs = { maxRuns: 8, budgetMs: 1, ...(allPairs && { allPairs }) };
    const events = await eventsIn(suite, { subjects, allowSame: true, runs, scripted: anyRates() });
    expect(warningsOf(events)).toContainEqual(expect.stringMatching(expected));
    // Runs of clients become longer with the time limit, so their time does not say which limit suffices.
    expect(warningsOf(events).some((text) => text.includes('the fewest runs'))).toBe(!allPairs);
  });

  it('is forecast within a factor of 1.5, but for the first and the last tenth', () => {
    const ratios = [1, 2, 3].flatMap((seed) => {
      const { outlooks, spentMs } = simulateBudget(typicalCases(10 * seed), undefined, 'soonest first', seed);
      const middle = outlooks.filter(({ trueMs }) => trueMs > spentMs / 10 && trueMs < 0.9 * spentMs);
      return middle.map(({ leftMs, trueMs }) => leftMs / trueMs);
    });
    const right = ratios.filter((ratio) => ratio > 1 / 1.5 && ratio < 1.5);
    expect(right.length / ratios.length).toBeGreaterThan(0.85);
  });

  it('is spent on no more runs of many packages than their intervals need', () => {
    const packages = Array.from({ length: 100 }, (_, at) => ({ package: `p${at}` }));
    const cases: readonly Case[] = packages.map((configuration) => ({ benchmark: 'a.js', configuration }));
    const files = [{ path: 'a.js', name: 'a.js', configurations: packages }];
    const givenUp = givenUpCases(() => ['node']);
    const pace = paceOf({ maxRuns: 36, margin: 0.1 }, ['node'], 100, givenUp, 1, 0, files);
    const normal = normals(uniforms(1));
    let runs = 0;
    for (let next = pace.nextRound(cases); next.length > 0; next = pace.nextRound(cases)) {
      for (const each of next) {
        const rate = 1.35 ** cases.indexOf(each) * Math.exp(0.05 * normal());
        pace.take({ ...run, ...each, subject: 'node', round: pace.roundOf(each), values: { rate } });
        runs++;
      }
      pace.judge();
    }
    expect(runs).toBe(100 * 11);
  });

  it('leaves out no round of a case that waits and goes on', () => {
    const { rounds } = simulateBudget(typicalCases(40), 60_000, 'soonest first', 1);
    expect(rounds).toEqual(rounds.map(({ length }) => [...Array(length).keys()]));
    expect(new Set(rounds.map(({ length }) => length)).size).toBeGreaterThan(5);
  });
});
