import { allPairs, type Case, caseKey, comparisonKey, pairsWithBaseline } from '@bench-cli/results';
import {
  type AdaptiveRuns,
  type RunRecord,
  type SucceededRun,
  scheduledConfiguration,
} from '@bench-cli/results/recording';
import {
  FIRST_LOOK,
  PairedRuns,
  type PrecisionJudgement,
  SequentialFamily,
  type SequentialJudgement,
  SequentialPrecision,
} from '@bench-cli/stats/internal';
import type { GivenUp } from '../execution/given-up.ts';
import type { Decision } from '../execution/session-event.ts';

/**
 * A round has the cases that are decided soonest: so many at least, and this share of the open ones, because judging a round takes
 * longer with many cases.
 */
const smallestRound = 8;
const roundShare = 1 / 16;

/** Cases take a third of the maximum number of runs on average (`pnpm bench:verdicts`). */
const usualShare = 1 / 3;

interface Judge {
  take(key: string, run: SucceededRun): void;
  judge(): void;
  /** @param isCompared whether another subject still runs */
  isOpen(key: string, subject: string, isCompared?: (other: string) => boolean): boolean;
  /** After how many more runs a decision is expected; null if none is. */
  furtherRuns(key: string, subject: string): number | null;
  judgement(key: string, subject: string): SequentialJudgement | PrecisionJudgement;
}

/**
 * Decides which cases need more runs. Decisions depend only on the runs so far, so that a resumed session makes the same
 * decisions as an uninterrupted one.
 * @param subjects names, the baseline first; the rate of a single one is measured to the precision of the margin
 * @param size the number of cases of the command
 * @param lanes how many cases are measured at the same time
 */
export function paceOf(
  options: AdaptiveRuns,
  subjects: readonly string[],
  size: number,
  givenUp: GivenUp,
  lanes = 1,
) {
  const { maxRuns } = options;
  const budgetMs = (options.budgetMs ?? Number.POSITIVE_INFINITY) * lanes;
  /** The subjects with a judgement of their own: all but the baseline, or the only one. */
  const judged = subjects.length > 1 ? subjects.slice(1) : subjects;
  const judge = subjects.length > 1 ? comparisonJudge(options, subjects, size) : precisionJudge(options);
  /** The cases that the runs of a scheduled case reported, which is usually one; by key. */
  const reported = new Map<string, Map<string, Case>>();
  const decided = new Set<string>();
  /** Milliseconds and number of the runs of each scheduled case. */
  const times = new Map<string, { readonly totalMs: number; readonly runs: number }>();
  /** How many rounds each scheduled case has had. */
  const rounds = new Map<string, number>();
  let spentMs = 0;
  let runs = 0;

  const roundsOf = (scheduled: Case) => rounds.get(caseKey(scheduled)) ?? 0;

  /**
   * The subjects under which a case needs more runs. The baseline runs as long as any other subject does, and a subject whose
   * comparison is decided does not run any more. If all pairs decide, a subject runs as long as any of its pairs is open.
   */
  const openSubjects = (scheduled: Case): readonly string[] => {
    const keys = reported.get(caseKey(scheduled))?.keys().toArray();
    const isRunning = (subject: string) => !givenUp.has(scheduled, subject);
    const isOpen = (subject: string) =>
      isRunning(subject) && (keys === undefined || keys.some((key) => judge.isOpen(key, subject, isRunning)));
    if (options.allPairs) return subjects.filter(isOpen);
    const open = judged.filter(isOpen);
    return open.length === 0 ? [] : [...new Set([...subjects.slice(0, 1), ...open])];
  };

  /** Milliseconds that the runs of a case in the next round take, by those so far, or else by those of all cases. */
  const roundMs = (scheduled: Case) => {
    const its = times.get(caseKey(scheduled)) ?? { totalMs: spentMs, runs: Math.max(1, runs) };
    return (its.totalMs / its.runs) * openSubjects(scheduled).length;
  };

  /** The cases that need more runs. */
  const openOf = (cases: readonly Case[]) =>
    cases.filter((each) => roundsOf(each) < maxRuns && openSubjects(each).length > 0);

  const needOf = (scheduled: Case): Need => {
    const keys = reported.get(caseKey(scheduled))?.keys().toArray() ?? [''];
    const further = judged
      .filter((subject) => !givenUp.has(scheduled, subject))
      .flatMap((subject) =>
        keys.filter((key) => judge.isOpen(key, subject)).map((key) => judge.furtherRuns(key, subject)),
      );
    const most = maxRuns - roundsOf(scheduled);
    const left = Math.min(most, Math.max(1, ...further.map((each) => each ?? most)));
    return {
      case: scheduled,
      durationMs: left * roundMs(scheduled),
      isPromising: !further.includes(null),
    };
  };

  /** What a case usually takes that has too few runs for an estimate; 0 for others. */
  const usualMs = (scheduled: Case) => {
    const had = roundsOf(scheduled);
    return had >= FIRST_LOOK ? 0 : (maxRuns * usualShare - had) * roundMs(scheduled);
  };

  const decide = (isDue: (key: string, subject: string) => boolean): readonly Decision[] => {
    judge.judge();
    const decisions: Decision[] = [];
    for (const [key, each] of [...reported.values()].flatMap((cases) => [...cases])) {
      for (const subject of judged) {
        const side = JSON.stringify([key, subject]);
        if (decided.has(side) || !isDue(key, subject)) continue;
        decided.add(side);
        decisions.push({ ...each, subject, judgement: judge.judgement(key, subject) });
      }
    }
    return decisions;
  };

  return {
    openSubjects,
    roundMs,
    open: openOf,

    /** Takes a run of this session, executed now or before an interruption. */
    take(run: RunRecord): void {
      spentMs += run.durationMs;
      runs++;
      if (run.kind === 'control') return;
      const { benchmark, configuration } = run;
      const scheduled = caseKey({ benchmark, configuration: scheduledConfiguration(run) });
      const its = times.get(scheduled) ?? { totalMs: 0, runs: 0 };
      times.set(scheduled, { totalMs: its.totalMs + run.durationMs, runs: its.runs + 1 });
      if (run.status === 'failed') return;
      const key = caseKey(run);
      const cases = reported.get(scheduled) ?? new Map<string, Case>();
      reported.set(scheduled, cases.set(key, { benchmark, configuration }));
      judge.take(key, run);
    },

    /**
     * The cases of the next round: the open ones that are expected to be decided soonest, at most as many as the time limit suffices
     * for. The others wait.
     * @param isBegun whether a case has runs of a round, so that it takes part whether it is open or not
     */
    nextRound(cases: readonly Case[], isBegun: (each: Case, round: number) => boolean = () => false) {
      const open = openOf(cases);
      const most = Math.max(smallestRound * lanes, Math.ceil(open.length * roundShare));
      const due = new Set(soonest(open.map(needOf), budgetMs - spentMs).slice(0, most));
      const next = cases.filter((each) => due.has(each) || isBegun(each, roundsOf(each)));
      for (const each of next) rounds.set(caseKey(each), roundsOf(each) + 1);
      return next;
    },

    /** The present round of a case, from 0. A case that has waited is behind others, so that no round of it is missing. */
    roundOf: (scheduled: Case) => roundsOf(scheduled) - 1,

    /** What the open cases are expected to take, by their runs so far. */
    outlook(cases: readonly Case[]) {
      const open = openOf(cases);
      const durationsMs = open.map((each) => Math.max(needOf(each).durationMs, usualMs(each)));
      const totalMs = durationsMs.reduce((sum, durationMs) => sum + durationMs, 0);
      // The runs of one case cannot overlap.
      const longestMs = Math.max(0, ...durationsMs);
      const leftMs = Math.min(
        Math.max(totalMs / lanes, longestMs),
        Math.max(0, (budgetMs - spentMs) / lanes),
      );
      return { open: open.length, leftMs };
    },

    /** Whether the time limit is reached. */
    get isSpent(): boolean {
      return spentMs >= budgetMs;
    },

    /** Judges all cases by their runs, and returns the new decisions. */
    endRound: () => decide((key, subject) => !judge.isOpen(key, subject)),

    /** Judges for the last time, and returns the judgements of all cases without a decision. */
    end: () => decide(() => true),
  };
}

/** What a case is expected to take until it is decided. */
export interface Need {
  readonly case: Case;
  /** Milliseconds of all its runs until then. */
  readonly durationMs: number;
  /** Whether a decision is expected at all. */
  readonly isPromising: boolean;
}

/**
 * The cases that are expected to be decided soonest, first: as many as the time suffices for, and at least one. Limited time so
 * decides most, and verdicts come early.
 * @param leftMs what remains of the time
 */
export function soonest(needs: readonly Need[], leftMs: number): readonly Case[] {
  const sorted = needs.toSorted(
    (a, b) => Number(b.isPromising) - Number(a.isPromising) || a.durationMs - b.durationMs,
  );
  let neededMs = 0;
  const count = sorted.findIndex(({ durationMs }) => {
    neededMs += durationMs;
    return neededMs > leftMs;
  });
  return sorted.slice(0, count < 0 ? sorted.length : Math.max(1, count)).map((need) => need.case);
}

function comparisonJudge(runs: AdaptiveRuns, subjects: readonly string[], size: number): Judge {
  const pairs = runs.allPairs ? allPairs(subjects) : pairsWithBaseline(subjects);
  const family = new SequentialFamily(runs, size * pairs.length);
  const paired = new PairedRuns(family, pairs);
  const [baseline = ''] = subjects;
  /** The keys of the pairs that a subject runs for. A baseline runs for the others. */
  const openPairs = (key: string, subject: string, isCompared = (_other: string) => true) =>
    pairs.flatMap((pair) => {
      const isPart = pair.subject === subject || (runs.allPairs === true && pair.baseline === subject);
      const other = pair.subject === subject ? pair.baseline : pair.subject;
      const place = comparisonKey({ key, ...pair });
      return isPart && isCompared(other) && family.isOpen(place) ? [place] : [];
    });
  return {
    take: (key, { subject, round, values: { rate } }) => paired.take({ key, subject, round, rate }),
    judge: () => family.judge(),
    isOpen: (key, subject, isCompared = () => true) => openPairs(key, subject, isCompared).length > 0,
    furtherRuns: (key, subject) => {
      const further = openPairs(key, subject).map((pair) => family.furtherRuns(pair));
      return further.includes(null) ? null : Math.max(0, ...further.map((each) => each ?? 0));
    },
    judgement: (key, subject) => family.judgement(comparisonKey({ key, baseline, subject })),
  };
}

function precisionJudge(runs: AdaptiveRuns): Judge {
  const precision = new SequentialPrecision(runs);
  return {
    take: (key, { values }) => precision.add(key, values.rate),
    judge: () => precision.judge(),
    isOpen: (key) => precision.isOpen(key),
    furtherRuns: (key) => precision.furtherRuns(key),
    judgement: (key) => precision.judgement(key),
  };
}
