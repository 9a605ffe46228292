import { type ComparisonList, compareFixed } from '@bench-cli/stats';
import { describe, expect, it } from 'vitest';
import { pairOf } from '../../../test/support/pairs.ts';
import { empty, run, session } from '../../../test/support/recording.ts';
import { sessionAdvice } from '../src/session/undecided-advice.ts';

const listOf = (old: readonly number[], new_: readonly number[], isCommand?: true) =>
  compareFixed([{ ...pairOf('g/a.ts', '', old, new_), ...(isCommand && { isCommand }) }]);
const around = (mean: number, spread: number) =>
  Array.from({ length: 30 }, (_, at) => mean * (1 + (((at * 7) % 30) / 15 - 1) * spread));

/** A list of a session whose time was up. */
const outOfTime = (list: ComparisonList) => ({
  ...list,
  comparisons: list.comparisons.map((each) => ({ ...each, reason: 'out-of-time' as const })),
});
const metrics = { metrics: [], runs: 8 };

/** The advice for a list of a session with this request. Default: its runs are not known. */
const adviceOf = (list: ComparisonList, request: object = { runs: 30 }, runs: typeof empty.runs = []) =>
  sessionAdvice(list, {
    ...{ ...empty, ended: true, runs, file: 'results.jsonl' },
    session: { ...session, request: { ...session.request, command: 'compare', ...request } },
  });

/** The advice for 30 runs of a second each under each subject. */
const adviceFor = (change: number, spread: number, request: object = {}) =>
  adviceOf(
    listOf(around(100, spread), around(100 * (1 + change), spread).toReversed()),
    { runs: 30, ...request },
    Array.from({ length: 60 }, () => ({
      ...{ ...run, benchmark: 'g/a.ts', configuration: {}, durationMs: 1000 },
    })),
  );

describe('the advice for undecided comparisons', () => {
  it('has the noise of pairs, the smallest difference that can be found, and the next number of runs with its time', () => {
    expect(adviceFor(0.02, 0.1)).toMatch(
      /^1 undecided comparison: .* 9\.0 %.* 3\.1 %.*, about 3 min: the same comparison with --runs 80$/,
    );
  });

  it('is about the comparisons that more runs can decide, and says how many that are', () => {
    const of = (benchmark: string, count: number) =>
      pairOf(benchmark, '', around(100, 0.1).slice(0, count), around(102, 0.1).toReversed().slice(0, count));
    const list = compareFixed([of('a.js', 30), of('b.js', 1)]);
    expect(adviceOf(list)).toMatch(/^2 undecided comparisons, of which more runs can decide 1: /);
  });

  it.each([1, 2, 3])('is to measure until verdicts are clear if %i runs cannot show any', (count) => {
    const list = listOf(around(100, 0.1).slice(0, count), around(200, 0.1).slice(0, count));
    expect(adviceOf(list, { runs: count })).toMatch(/: the same comparison with --runs auto$/);
  });

  it('names no metric for whole commands, which measure none', () => {
    const list = listOf(around(100, 0.1), around(100.1, 0.1).toReversed(), true);
    expect(adviceOf(list)).toMatch(/bench-cli machine [^-]*$/);
  });

  it('is more time if the time was up', () => {
    const runs = { margin: 0.03, maxRuns: 30, budgetMs: 60_000 };
    const undecided = outOfTime(listOf(around(100, 0.1), around(102, 0.1).toReversed()));
    const advice = (commandLine?: readonly string[]) => adviceOf(undecided, { runs, commandLine });
    expect(advice()).toMatch(/^the time was up .* --resume results\.jsonl --budget 2m$/);
    expect(advice(['http', 'clients', '--budget', '1m'])).toMatch(
      /: npx bench-cli http clients --resume results\.jsonl --budget 2m$/,
    );
    expect(adviceFor(0.02, 0.1, { runs })).toMatch(/^1 undecided comparison: /);
    expect(adviceFor(0.5, 0.1, { runs })).toBeUndefined();
  });

  it('is not more runs if these would be too many, and nothing without an undecided comparison', () => {
    expect(adviceFor(0.001, 0.1)).toMatch(
      /^1 undecided comparison: .*bench-cli machine .* --metric alloc .*$/,
    );
    expect(adviceFor(0.001, 0.1, { metrics })).toMatch(/^1 undecided comparison: .*bench-cli machine [^-]*$/);
    expect(adviceFor(0.5, 0.1)).toBeUndefined();
  });

  it('is not more runs where more of them would decide nothing', () => {
    const limited = { runs: { margin: 0.03, maxRuns: 30, budgetMs: 60_000 } };
    expect([adviceFor(0.001, 0), adviceFor(0.001, 0, limited)]).toEqual([undefined, undefined]);
  });
});
