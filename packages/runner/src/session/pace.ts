import { type Case, caseKey } from '@bench-cli/results';
import { type AdaptiveRuns, type RunRecord, scheduledConfiguration } from '@bench-cli/results/recording';
import {
  PairedRuns,
  type PrecisionJudgement,
  SequentialFamily,
  type SequentialJudgement,
  SequentialPrecision,
} from '@bench-cli/stats';

/** The judgement of a case that gets no more runs. */
export interface Decision extends Case {
  readonly judgement: SequentialJudgement | PrecisionJudgement;
}

interface Judge {
  take(key: string, run: RunRecord & { status: 'ok' }): void;
  judge(): void;
  isOpen(key: string): boolean;
  judgement(key: string): SequentialJudgement | PrecisionJudgement;
}

/**
 * Decides which cases need more runs. Decisions depend only on the runs so far, so that a resumed session makes the same
 * decisions as an uninterrupted one.
 */
export class Pace {
  readonly #judge: Judge;
  readonly #runs: AdaptiveRuns;
  /** The cases that the runs of a scheduled case reported, which is usually one; by key. */
  readonly #reported = new Map<string, Map<string, Case>>();
  readonly #closed = new Set<string>();
  readonly #decided = new Set<string>();
  #spentMs = 0;

  /**
   * @param subjects two are compared; the rate of one is measured to the precision of the margin
   * @param size the number of cases of the command
   */
  constructor(runs: AdaptiveRuns, subjects: readonly string[], size: number) {
    this.#runs = runs;
    const [first] = subjects;
    this.#judge = subjects.length > 1 ? comparisonJudge(runs, first, size) : precisionJudge(runs);
  }

  /** Takes a run of this session, executed now or before an interruption. */
  take(run: RunRecord): void {
    this.#spentMs += run.durationMs;
    if (run.status === 'failed') return;
    const { benchmark, configuration } = run;
    const scheduled = caseKey({ benchmark, configuration: scheduledConfiguration(run) });
    const key = caseKey(run);
    const reported = this.#reported.get(scheduled) ?? new Map<string, Case>();
    this.#reported.set(scheduled, reported.set(key, { benchmark, configuration }));
    this.#judge.take(key, run);
  }

  /** Ends the runs of a case, because they fail. */
  close(scheduled: Case): void {
    this.#closed.add(caseKey(scheduled));
  }

  /** Whether a case needs more runs. */
  isOpen(scheduled: Case): boolean {
    const key = caseKey(scheduled);
    if (this.#closed.has(key)) return false;
    const reported = this.#reported.get(key);
    return reported === undefined || [...reported.keys()].some((each) => this.#judge.isOpen(each));
  }

  /** Whether the time limit is reached. */
  get isSpent(): boolean {
    return this.#spentMs >= (this.#runs.budgetMs ?? Number.POSITIVE_INFINITY);
  }

  /** Judges all cases by their runs, and returns the new decisions. */
  endRound(): readonly Decision[] {
    this.#judge.judge();
    return this.#decide((key) => !this.#judge.isOpen(key));
  }

  /** Judges for the last time, and returns the judgements of all cases without a decision. */
  end(): readonly Decision[] {
    this.#judge.judge();
    return this.#decide(() => true);
  }

  #decide(isDue: (key: string) => boolean): readonly Decision[] {
    const decisions: Decision[] = [];
    for (const reported of this.#reported.values()) {
      for (const [key, each] of reported) {
        if (this.#decided.has(key) || !isDue(key)) continue;
        this.#decided.add(key);
        decisions.push({ ...each, judgement: this.#judge.judgement(key) });
      }
    }
    return decisions;
  }
}

function comparisonJudge(runs: AdaptiveRuns, old: string | undefined, size: number): Judge {
  const family = new SequentialFamily(runs, size);
  const pairs = new PairedRuns(family);
  return {
    take: (key, { subject, round, rate }) =>
      pairs.take({ key, subject: subject === old ? 'old' : 'new', round, rate }),
    judge: () => family.judge(),
    isOpen: (key) => family.isOpen(key),
    judgement: (key) => family.judgement(key),
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
