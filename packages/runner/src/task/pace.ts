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
import type { Decision, Outlook } from '../execution/session-event.ts';
import { type Need, soonest } from './allotment.ts';

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
 */
export class Pace {
  readonly #judge: Judge;
  readonly #subjects: readonly string[];
  /** The subjects with a judgement of their own: all but the baseline, or the only one. */
  readonly #judged: readonly string[];
  readonly #givenUp: GivenUp;
  /** The cases that the runs of a scheduled case reported, which is usually one; by key. */
  readonly #reported = new Map<string, Map<string, Case>>();
  readonly #decided = new Set<string>();
  readonly #maxRuns: number;
  /** Whether the comparisons with the baseline decide, not those of all pairs. */
  readonly #hasBaseline: boolean;
  readonly #budgetMs: number;
  readonly #lanes: number;
  #spentMs = 0;
  #runs = 0;
  /** Milliseconds and number of the runs of each scheduled case. */
  readonly #times = new Map<string, { readonly totalMs: number; readonly runs: number }>();
  /** How many rounds each scheduled case has had. */
  readonly #rounds = new Map<string, number>();

  /**
   * @param subjects names, the baseline first; the rate of a single one is measured to the precision of the margin
   * @param size the number of cases of the command
   * @param lanes how many cases are measured at the same time
   */
  constructor(runs: AdaptiveRuns, subjects: readonly string[], size: number, givenUp: GivenUp, lanes = 1) {
    this.#maxRuns = runs.maxRuns;
    this.#lanes = lanes;
    this.#hasBaseline = !runs.allPairs;
    this.#budgetMs = (runs.budgetMs ?? Number.POSITIVE_INFINITY) * lanes;
    this.#subjects = subjects;
    this.#judged = subjects.length > 1 ? subjects.slice(1) : subjects;
    this.#givenUp = givenUp;
    this.#judge = subjects.length > 1 ? comparisonJudge(runs, subjects, size) : precisionJudge(runs);
  }

  /** Takes a run of this session, executed now or before an interruption. */
  take(run: RunRecord): void {
    this.#spentMs += run.durationMs;
    this.#runs++;
    const { benchmark, configuration } = run;
    const scheduled = caseKey({ benchmark, configuration: scheduledConfiguration(run) });
    const { totalMs, runs } = this.#times.get(scheduled) ?? { totalMs: 0, runs: 0 };
    this.#times.set(scheduled, { totalMs: totalMs + run.durationMs, runs: runs + 1 });
    if (run.status === 'failed') return;
    const key = caseKey(run);
    const reported = this.#reported.get(scheduled) ?? new Map<string, Case>();
    this.#reported.set(scheduled, reported.set(key, { benchmark, configuration }));
    this.#judge.take(key, run);
  }

  /**
   * The subjects under which a case needs more runs. The baseline runs as long as any other subject does, and a subject whose
   * comparison is decided does not run any more. If all pairs decide, a subject runs as long as any of its pairs is open.
   */
  openSubjects(scheduled: Case): readonly string[] {
    const reported = this.#reported.get(caseKey(scheduled));
    const keys = reported && [...reported.keys()];
    const runs = (subject: string) => !this.#givenUp.has(scheduled, subject);
    const isOpen = (subject: string) =>
      runs(subject) && (keys === undefined || keys.some((key) => this.#judge.isOpen(key, subject, runs)));
    if (!this.#hasBaseline) return this.#subjects.filter(isOpen);
    const open = this.#judged.filter(isOpen);
    return open.length === 0 ? [] : [...new Set([...this.#subjects.slice(0, 1), ...open])];
  }

  /** Milliseconds that the runs of a case in the next round take, by those so far, or else by those of all cases. */
  roundMs(scheduled: Case): number {
    const all = { totalMs: this.#spentMs, runs: Math.max(1, this.#runs) };
    const { totalMs, runs } = this.#times.get(caseKey(scheduled)) ?? all;
    return (totalMs / runs) * this.openSubjects(scheduled).length;
  }

  /** The cases that need more runs. */
  open(cases: readonly Case[]): readonly Case[] {
    return cases.filter((each) => this.#roundsOf(each) < this.#maxRuns && this.openSubjects(each).length > 0);
  }

  /**
   * The cases of the next round: the open ones that are expected to be decided soonest, at most as many as the time limit suffices for.
   * The others wait.
   * @param isBegun whether a case has runs of a round, so that it takes part whether it is open or not
   */
  nextRound(
    cases: readonly Case[],
    isBegun: (each: Case, round: number) => boolean = () => false,
  ): readonly Case[] {
    const open = this.open(cases);
    const needs = open.map((each) => this.#need(each));
    const most = Math.max(smallestRound * this.#lanes, Math.ceil(open.length * roundShare));
    const due = new Set(soonest(needs, this.#budgetMs - this.#spentMs).slice(0, most));
    const next = cases.filter((each) => due.has(each) || isBegun(each, this.#roundsOf(each)));
    for (const each of next) this.#rounds.set(caseKey(each), this.#roundsOf(each) + 1);
    return next;
  }

  /** The present round of a case, from 0. A case that has waited is behind others, so that no round of it is missing. */
  roundOf(scheduled: Case): number {
    return this.#roundsOf(scheduled) - 1;
  }

  /** What the open cases are expected to take, by their runs so far. */
  outlook(cases: readonly Case[]): Outlook {
    const open = this.open(cases);
    const durationsMs = open.map((each) => Math.max(this.#need(each).durationMs, this.#usualMs(each)));
    const totalMs = durationsMs.reduce((sum, durationMs) => sum + durationMs, 0);
    // The runs of one case cannot overlap.
    const longestMs = Math.max(0, ...durationsMs);
    const leftMs = Math.min(
      Math.max(totalMs / this.#lanes, longestMs),
      Math.max(0, (this.#budgetMs - this.#spentMs) / this.#lanes),
    );
    return { open: open.length, leftMs };
  }

  /** What a case usually takes that has too few runs for an estimate; 0 for others. */
  #usualMs(scheduled: Case): number {
    const rounds = this.#roundsOf(scheduled);
    return rounds >= FIRST_LOOK ? 0 : (this.#maxRuns * usualShare - rounds) * this.roundMs(scheduled);
  }

  #roundsOf(scheduled: Case): number {
    return this.#rounds.get(caseKey(scheduled)) ?? 0;
  }

  #need(scheduled: Case): Need {
    const reported = this.#reported.get(caseKey(scheduled));
    const keys = reported === undefined ? [''] : [...reported.keys()];
    const further = this.#judged
      .filter((subject) => !this.#givenUp.has(scheduled, subject))
      .flatMap((subject) =>
        keys
          .filter((key) => this.#judge.isOpen(key, subject))
          .map((key) => this.#judge.furtherRuns(key, subject)),
      );
    const most = this.#maxRuns - this.#roundsOf(scheduled);
    const rounds = Math.min(most, Math.max(1, ...further.map((runs) => runs ?? most)));
    return {
      case: scheduled,
      durationMs: rounds * this.roundMs(scheduled),
      isPromising: !further.includes(null),
    };
  }

  /** Whether the time limit is reached. */
  get isSpent(): boolean {
    return this.#spentMs >= this.#budgetMs;
  }

  /** Judges all cases by their runs, and returns the new decisions. */
  endRound(): readonly Decision[] {
    this.#judge.judge();
    return this.#decide((key, subject) => !this.#judge.isOpen(key, subject));
  }

  /** Judges for the last time, and returns the judgements of all cases without a decision. */
  end(): readonly Decision[] {
    this.#judge.judge();
    return this.#decide(() => true);
  }

  #decide(isDue: (key: string, subject: string) => boolean): readonly Decision[] {
    const decisions: Decision[] = [];
    for (const [key, each] of [...this.#reported.values()].flatMap((reported) => [...reported])) {
      for (const subject of this.#judged) {
        const decided = JSON.stringify([key, subject]);
        if (this.#decided.has(decided) || !isDue(key, subject)) continue;
        this.#decided.add(decided);
        decisions.push({ ...each, subject, judgement: this.#judge.judgement(key, subject) });
      }
    }
    return decisions;
  }
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
