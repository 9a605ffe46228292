import {
  PairedRuns,
  type PrecisionJudgement,
  SequentialFamily,
  type SequentialJudgement,
  SequentialPrecision,
} from '@bench-cli/stats';
import { caseKey } from '@bench-cli/results';
import type { AdaptiveRuns, RunRecord } from '@bench-cli/results/recording';
import type { Configuration } from '@bench-cli/results';
import { type ScheduledRun } from '../plan/schedule.ts';

/** What came of a configuration that gets no more runs. */
export interface Decision {
  readonly benchmark: string;
  readonly configuration: Configuration;
  readonly judgement: SequentialJudgement | PrecisionJudgement;
}

/** What is scheduled as one: a configuration of a benchmark. */
export type Unit = Pick<ScheduledRun, 'benchmark' | 'configuration'>;

interface Judge {
  take(key: string, run: RunRecord & { status: 'ok' }): void;
  judge(): void;
  isOpen(key: string): boolean;
  judgement(key: string): SequentialJudgement | PrecisionJudgement;
}

/**
 * Tells which configurations need more runs, from the runs that they had. It depends on nothing but these, so that a
 * session which is continued comes to the decisions of one that was not cut off.
 */
export class Pace {
  readonly #judge: Judge;
  readonly #runs: AdaptiveRuns;
  /** What the runs of a unit told of: mostly the unit itself. */
  readonly #reported = new Map<string, Map<string, Unit>>();
  readonly #closed = new Set<string>();
  readonly #decided = new Set<string>();
  #spentMs = 0;

  /**
   * @param subjects two are compared; of one the rate is measured as precisely as the margin says
   * @param size how many configurations the command has
   */
  constructor(runs: AdaptiveRuns, subjects: readonly string[], size: number) {
    this.#runs = runs;
    const [first] = subjects;
    this.#judge = subjects.length > 1 ? comparisonJudge(runs, first, size) : precisionJudge(runs);
  }

  /** Takes a run, executed now or before. */
  take(run: RunRecord): void {
    this.#spentMs += run.durationMs;
    if (run.status === 'failed') return;
    const { benchmark, configuration, scheduled = configuration } = run;
    const unit = caseKey({ benchmark, configuration: scheduled });
    const key = caseKey(run);
    const reported = this.#reported.get(unit) ?? new Map<string, Unit>();
    this.#reported.set(unit, reported.set(key, { benchmark, configuration }));
    this.#judge.take(key, run);
  }

  /** Asks for no more runs of a unit, because they fail. */
  close(unit: Unit): void {
    this.#closed.add(caseKey(unit));
  }

  /** Whether a unit needs more runs. */
  isOpen(unit: Unit): boolean {
    const key = caseKey(unit);
    if (this.#closed.has(key)) return false;
    const reported = this.#reported.get(key);
    return reported === undefined || [...reported.keys()].some((each) => this.#judge.isOpen(each));
  }

  /** Whether the time is up. */
  get isSpent(): boolean {
    return this.#spentMs >= (this.#runs.budgetMs ?? Number.POSITIVE_INFINITY);
  }

  /** Judges all configurations by their runs; gives those that are decided since the last time. */
  endRound(): readonly Decision[] {
    this.#judge.judge();
    return this.#decide((key) => !this.#judge.isOpen(key));
  }

  /** Judges for the last time; gives what is known of the configurations that are still open. */
  end(): readonly Decision[] {
    this.#judge.judge();
    return this.#decide(() => true);
  }

  #decide(isDue: (key: string) => boolean): readonly Decision[] {
    const decisions: Decision[] = [];
    for (const reported of this.#reported.values()) {
      for (const [key, unit] of reported) {
        if (this.#decided.has(key) || !isDue(key)) continue;
        this.#decided.add(key);
        decisions.push({ ...unit, judgement: this.#judge.judgement(key) });
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
