import { type Case, caseKey, comparisonKey, pairsWithBaseline } from '@bench-cli/results';
import { type AdaptiveRuns, type RunRecord, scheduledConfiguration } from '@bench-cli/results/recording';
import {
  PairedRuns,
  type PrecisionJudgement,
  SequentialFamily,
  type SequentialJudgement,
  SequentialPrecision,
} from '@bench-cli/stats';
import type { GivenUp } from './given-up.ts';

/** The judgement of a case that gets no more runs under a subject. */
export interface Decision extends Case {
  /** In a comparison, the subject that is compared with the baseline. */
  readonly subject: string;
  readonly judgement: SequentialJudgement | PrecisionJudgement;
}

interface Judge {
  take(key: string, run: RunRecord & { status: 'ok' }): void;
  judge(): void;
  isOpen(key: string, subject: string): boolean;
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
  readonly #budgetMs: number;
  #spentMs = 0;
  /** Milliseconds and number of the runs of each scheduled case. */
  readonly #times = new Map<string, { readonly totalMs: number; readonly runs: number }>();

  /**
   * @param subjects names, the baseline first; the rate of a single one is measured to the precision of the margin
   * @param size the number of cases of the command
   * @param lanes how many cases are measured at the same time
   */
  constructor(runs: AdaptiveRuns, subjects: readonly string[], size: number, givenUp: GivenUp, lanes = 1) {
    this.#budgetMs = (runs.budgetMs ?? Number.POSITIVE_INFINITY) * lanes;
    this.#subjects = subjects;
    this.#judged = subjects.length > 1 ? subjects.slice(1) : subjects;
    this.#givenUp = givenUp;
    this.#judge = subjects.length > 1 ? comparisonJudge(runs, subjects, size) : precisionJudge(runs);
  }

  /** Takes a run of this session, executed now or before an interruption. */
  take(run: RunRecord): void {
    this.#spentMs += run.durationMs;
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
   * comparison is decided does not run any more.
   */
  openSubjects(scheduled: Case): readonly string[] {
    const reported = this.#reported.get(caseKey(scheduled));
    const keys = reported && [...reported.keys()];
    const open = this.#judged.filter(
      (subject) =>
        !this.#givenUp.has(scheduled, subject) &&
        (keys === undefined || keys.some((key) => this.#judge.isOpen(key, subject))),
    );
    return open.length === 0 ? [] : [...new Set([...this.#subjects.slice(0, 1), ...open])];
  }

  /** Milliseconds that the runs of a case in the next round take, by those so far; 0 before the first. */
  roundMs(scheduled: Case): number {
    const { totalMs, runs } = this.#times.get(caseKey(scheduled)) ?? { totalMs: 0, runs: 1 };
    return (totalMs / runs) * this.openSubjects(scheduled).length;
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
  const pairs = pairsWithBaseline(subjects);
  const family = new SequentialFamily(runs, size * pairs.length);
  const paired = new PairedRuns(family, pairs);
  const [baseline = ''] = subjects;
  return {
    take: (key, { subject, round, rate }) => paired.take({ key, subject, round, rate }),
    judge: () => family.judge(),
    isOpen: (key, subject) => family.isOpen(comparisonKey({ key, baseline, subject })),
    judgement: (key, subject) => family.judgement(comparisonKey({ key, baseline, subject })),
  };
}

function precisionJudge(runs: AdaptiveRuns): Judge {
  const precision = new SequentialPrecision(runs);
  return {
    take: (key, { rate }) => precision.add(key, rate),
    judge: () => precision.judge(),
    isOpen: (key) => precision.isOpen(key),
    judgement: (key) => precision.judgement(key),
  };
}
