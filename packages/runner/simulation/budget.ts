import type { Case } from '@bench-cli/results';
import { givenUpCases } from '../src/execution/given-up.ts';
import type { Decision } from '../src/execution/session-event.ts';
import { paceOf } from '../src/task/pace.ts';
import { normals, uniforms } from './random.ts';

/** The truth about a case. */
export interface TrueCase {
  /** The logarithm of the ratio of the rates. */
  readonly logRatio: number;
  /** The standard deviation of the logarithm of a rate. */
  readonly deviation: number;
  /** Milliseconds of a run. */
  readonly runMs: number;
}

/** What a session with a time limit has decided. */
export interface BudgetResult {
  /** When each case with a verdict (faster, slower or no difference) got it, milliseconds, in order. */
  readonly decidedAtMs: readonly number[];
  readonly spentMs: number;
  /** The rounds of each case, in their order. */
  readonly rounds: readonly (readonly number[])[];
  /** The judgements of the cases, in their order; undefined for those that have not run. */
  readonly judgements: readonly (Decision['judgement'] | undefined)[];
  /** The time that each round expected to be left, and the time that was left, milliseconds. */
  readonly outlooks: readonly { readonly leftMs: number; readonly trueMs: number }[];
}

/** In which order time is spent: on all open cases in turns, or first on those that are expected to be decided soonest. */
export type Policy = 'all in turns' | 'soonest first';

/**
 * Measures cases in virtual time until the limit, judged as in a session.
 * @param size the number of cases of all shards
 */
export function simulateBudget(
  truths: readonly TrueCase[],
  budgetMs: number | undefined,
  policy: Policy,
  seed: number,
  size = truths.length,
): BudgetResult {
  const normal = normals(uniforms(seed));
  const subjects = ['old', 'new'];
  const runs = { maxRuns: 36, margin: 0.02, budgetMs };
  const pace = paceOf(
    runs,
    subjects,
    size,
    givenUpCases(() => subjects),
  );
  const cases: readonly Case[] = truths.map((_, index) => ({ benchmark: 'b', configuration: { index } }));
  const rounds: number[][] = truths.map(() => []);
  const judgements: (Decision['judgement'] | undefined)[] = truths.map(() => undefined);
  let spentMs = 0;
  const decidedAtMs: number[] = [];
  const outlooks: { readonly atMs: number; readonly leftMs: number }[] = [];
  const keep = (decisions: readonly Decision[]) => {
    for (const { configuration, judgement } of decisions) {
      judgements[Number(configuration['index'])] = judgement;
      if ('verdict' in judgement && judgement.verdict !== 'undecided') decidedAtMs.push(spentMs);
    }
  };
  for (let turn = 0; !pace.isSpent(); turn++) {
    const chosen = new Set(pace.nextRound(cases));
    const next = policy === 'all in turns' ? pace.open(cases) : cases.filter((each) => chosen.has(each));
    if (next.length === 0) break;
    for (const each of next) {
      const truth = truths[Number(each.configuration['index'])];
      if (truth === undefined || pace.isSpent()) break;
      const round = policy === 'all in turns' ? turn : pace.roundOf(each);
      rounds[Number(each.configuration['index'])]?.push(round);
      for (const subject of subjects) {
        const rate = Math.exp((subject === 'new' ? truth.logRatio : 0) + truth.deviation * normal());
        spentMs += truth.runMs;
        pace.take({
          ...{
            type: 'run',
            kind: 'rate',
            status: 'ok',
            ...each,
            subject,
            round,
            values: { rate },
            time: '0.1',
          },
          ...{ startedAt: '2026-01-01T00:00:00Z', durationMs: truth.runMs },
        });
      }
    }
    if (!pace.isSpent()) keep(pace.judge());
    outlooks.push({ atMs: spentMs, leftMs: pace.outlook(cases).leftMs });
  }
  keep(pace.judge(true));
  return {
    ...{ decidedAtMs, spentMs, rounds, judgements },
    outlooks: outlooks.map(({ atMs, leftMs }) => ({ leftMs, trueMs: spentMs - atMs })),
  };
}

/** Cases as those of a suite: many without a difference, and noise from 1 to 15 %. */
export function typicalCases(count: number): readonly TrueCase[] {
  return Array.from({ length: count }, (_, index) => ({
    logRatio: [0, 0, 0.005, -0.03, 0.06, -0.2][index % 6] ?? 0,
    deviation: [0.01, 0.02, 0.04, 0.08, 0.15][index % 5] ?? 0.02,
    runMs: 50 + ((index * 37) % 100),
  }));
}
