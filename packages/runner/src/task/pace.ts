import type { SamplePlan, SamplingOrder } from '@bench-cli/core/protocol';
import {
  allPairs,
  asTask,
  type Case,
  caseKey,
  commandMark,
  comparisonKey,
  pairsWithBaseline,
} from '@bench-cli/results';
import {
  type AdaptiveRuns,
  type BenchmarkFile,
  type RunRecord,
  type SucceededRun,
  scheduledConfiguration,
} from '@bench-cli/results/recording';
import type { Judgement } from '@bench-cli/stats';
import {
  FIRST_FORECAST,
  type Forecast,
  PairedRuns,
  type PrecisionJudgement,
  SequentialFamily,
  SequentialPrecision,
  sumOf,
} from '@bench-cli/stats/internal';
import type { GivenUp } from '../execution/given-up.ts';
import type { Decision } from '../execution/session-event.ts';

/**
 * A round has the cases that are decided soonest: so many at least, and this share of the open ones, because
 * judging a round takes longer with many cases.
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
  forecast(key: string, subject: string): Forecast;
  judgement(key: string, subject: string): Judgement | PrecisionJudgement;
}

interface PacedCase {
  rounds: number;
  /** The last run of each subject. */
  readonly last: Map<string, Pick<SucceededRun, 'durationMs' | 'sampling'>>;
  /** How its next processes sample, if that is planned. */
  plan?: SamplePlan | undefined;
  /** The cases that its runs reported, which is usually one; by key. */
  readonly reported: Map<string, Case>;
}

/**
 * Decides which cases need more runs. Decisions depend only on the runs so far, so that a resumed session
 * makes the same decisions as an uninterrupted one.
 */
export class Pace {
  readonly #options: AdaptiveRuns;
  readonly #budgetMs: number;
  readonly #subjects: readonly string[];
  /** The subjects with a judgement of their own: all but the baseline, or the only one. */
  readonly #judged: readonly string[];
  readonly #judge: Judge;
  readonly #givenUp: GivenUp;
  readonly #lanes: number;
  readonly #laterRuns: number;
  readonly #cases = new Map<string, PacedCase>();
  /** The reported cases with a decision, under each subject. */
  readonly #decided = new Set<string>();
  #spentMs = 0;
  #runs = 0;
  #isOver = false;

  /**
   * @param subjects names, the baseline first; the rate of a single one is measured to the precision of the
   * margin
   * @param size the number of cases of the command
   * @param lanes how many cases are measured at the same time
   * @param laterRuns how many runs the session has after these, within the same time limit
   * @param files the benchmarks; undefined unless the cases of one subject are ranked
   */
  constructor(
    options: AdaptiveRuns,
    subjects: readonly string[],
    size: number,
    givenUp: GivenUp,
    lanes = 1,
    laterRuns = 0,
    files?: readonly BenchmarkFile[],
  ) {
    const isCompared = subjects.length > 1;
    this.#options = options;
    this.#budgetMs = (options.budgetMs ?? Number.POSITIVE_INFINITY) * lanes;
    this.#subjects = subjects;
    this.#judged = isCompared ? subjects.slice(1) : subjects;
    this.#judge = isCompared ? comparisonJudge(options, subjects, size) : precisionJudge(options, files);
    this.#givenUp = givenUp;
    this.#lanes = lanes;
    this.#laterRuns = laterRuns;
  }

  /** Takes a run of this session, executed now or before an interruption. */
  take(run: RunRecord): void {
    this.#spentMs += run.durationMs;
    this.#runs++;
    if (run.kind !== 'rate') return;
    const { benchmark, configuration } = run;
    const scheduled = this.#caseOf({ benchmark, configuration: scheduledConfiguration(run) });
    scheduled.last.set(run.subject, run.status === 'ok' ? run : { durationMs: run.durationMs });
    if (run.status === 'failed') return;
    const key = caseKey(run);
    scheduled.reported.set(key, { benchmark, configuration });
    this.#judge.take(key, run);
  }

  /**
   * The cases of the next round: the open ones that are expected to be decided soonest, at most as many as
   * the time limit suffices for. The others wait.
   * @param isBegun whether a case has runs of a round, so that it takes part whether it is open or not
   */
  nextRound(cases: readonly Case[], isBegun: (each: Case, round: number) => boolean = () => false) {
    const open = this.open(cases);
    const most = Math.max(smallestRound * this.#lanes, Math.ceil(open.length * roundShare));
    const needs = open.map((each) => this.#needOf(each));
    const due = new Set(soonest(needs, this.#limitMs - this.#spentMs).slice(0, most));
    const next = cases.filter((each) => due.has(each) || isBegun(each, this.#caseOf(each).rounds));
    for (const each of next) this.#caseOf(each).rounds++;
    return next;
  }

  /** The present round of a case, from 0. No round of a case that has waited is missing. */
  roundOf(scheduled: Case): number {
    return this.#caseOf(scheduled).rounds - 1;
  }

  open(cases: readonly Case[]): readonly Case[] {
    return cases.filter(
      (each) => this.#caseOf(each).rounds < this.#options.maxRuns && this.openSubjects(each).length > 0,
    );
  }

  /** The number of results that need more runs, and that of all, as the progress counts them. */
  results(cases: readonly Case[]) {
    const open = this.open(cases).flatMap((each) => this.openSubjects(each));
    const undecided = open.filter((subject) => this.#judged.includes(subject)).length;
    return { undecided, all: cases.length * this.#judged.length };
  }

  /**
   * The subjects under which a case needs more runs. The baseline runs as long as any other subject does, and
   * a subject whose comparison is decided does not run any more. If all pairs decide, a subject runs as long
   * as any of its pairs is open.
   */
  openSubjects(scheduled: Case): readonly string[] {
    const keys = [...this.#caseOf(scheduled).reported.keys()];
    const isRunning = (subject: string) => !this.#givenUp.has(scheduled, subject);
    const isOpen = (subject: string) =>
      isRunning(subject) &&
      (keys.length === 0 || keys.some((key) => this.#judge.isOpen(key, subject, isRunning)));
    if (this.#options.allPairs) return this.#subjects.filter(isOpen);
    const open = this.#judged.filter(isOpen);
    return open.length === 0 ? [] : [...new Set([...this.#subjects.slice(0, 1), ...open])];
  }

  /** Expects that the next processes of a case sample as this order says. */
  expect(scheduled: Case, order: SamplingOrder | undefined): void {
    this.#caseOf(scheduled).plan = order === 'pilot' ? undefined : order;
  }

  /** Milliseconds that a case needs in the next round, by its last runs, or else by those of all cases. */
  roundMs(scheduled: Case): number {
    const { last, plan } = this.#caseOf(scheduled);
    const usualMs = this.#spentMs / Math.max(1, this.#runs);
    return sumOf(this.openSubjects(scheduled), (subject) => {
      const { durationMs, sampling } = last.get(subject) ?? { durationMs: usualMs, sampling: undefined };
      const sampledMs = (each: SamplePlan) => each.warmUpMs + each.measuredMs;
      return plan && sampling ? durationMs - sampledMs(sampling) + sampledMs(plan) : durationMs;
    });
  }

  /** The time that the open cases are expected to take, by their runs so far. */
  outlook(cases: readonly Case[]) {
    const open = this.open(cases);
    const durationsMs = open.map((each) => {
      const { rounds } = this.#caseOf(each);
      const usualRounds = rounds < FIRST_FORECAST ? this.#options.maxRuns * usualShare - rounds : 0;
      return Math.max(this.#needOf(each).durationMs, usualRounds * this.roundMs(each));
    });
    const totalMs = sumOf(durationsMs, (durationMs) => durationMs);
    // The runs of one case cannot overlap.
    const longestMs = Math.max(0, ...durationsMs);
    const neededMs = Math.max(totalMs / this.#lanes, longestMs);
    const limitMs = Math.max(0, (this.#limitMs - this.#spentMs) / this.#lanes);
    return { open: open.length, leftMs: Math.min(neededMs, limitMs) };
  }

  /** Whether half of the next round of a case is expected to fit into the time; else the time is up. */
  hasTimeFor(scheduled: Case): boolean {
    const leftMs = (this.#limitMs - this.#spentMs) / this.#lanes;
    this.#isOver ||= leftMs < this.roundMs(scheduled) / 2;
    return !this.isSpent;
  }

  get isSpent(): boolean {
    return this.#isOver || this.#spentMs >= this.#limitMs;
  }

  /** The time limit without the time of the later runs, which get at most half of it. */
  get #limitMs(): number {
    const laterMs = (this.#laterRuns * this.#spentMs) / Math.max(1, this.#runs);
    return this.#budgetMs - Math.min(laterMs, this.#budgetMs / 2);
  }

  /** @returns the new decisions; at the end of the session, the judgements of all cases without one */
  judge(isEnd = false): readonly Decision[] {
    this.#judge.judge();
    const decisions: Decision[] = [];
    for (const [key, each] of [...this.#cases.values()].flatMap(({ reported }) => [...reported])) {
      for (const subject of this.#judged) {
        const side = JSON.stringify([key, subject]);
        if (this.#decided.has(side) || (!isEnd && this.#judge.isOpen(key, subject))) continue;
        this.#decided.add(side);
        decisions.push({ ...each, subject, judgement: this.#judge.judgement(key, subject) });
      }
    }
    return decisions;
  }

  #caseOf(scheduled: Case): PacedCase {
    const key = caseKey(scheduled);
    const state = this.#cases.get(key) ?? { rounds: 0, last: new Map(), reported: new Map() };
    this.#cases.set(key, state);
    return state;
  }

  #needOf(scheduled: Case): Need {
    const { reported, rounds } = this.#caseOf(scheduled);
    const keys = reported.size > 0 ? [...reported.keys()] : [''];
    const forecasts = this.#judged
      .filter((subject) => !this.#givenUp.has(scheduled, subject))
      .flatMap((subject) =>
        keys.flatMap((key) => (this.#judge.isOpen(key, subject) ? [this.#judge.forecast(key, subject)] : [])),
      );
    const { runs, isPromising } = longestOf(forecasts);
    const left = Math.min(this.#options.maxRuns - rounds, Math.max(1, runs));
    return { case: scheduled, durationMs: left * this.roundMs(scheduled), isPromising };
  }
}

function longestOf(forecasts: readonly Forecast[]): Forecast {
  return {
    runs: Math.max(0, ...forecasts.map(({ runs }) => runs)),
    isPromising: forecasts.every(({ isPromising }) => isPromising),
  };
}

/** The time that a case is expected to take until it is decided. */
export interface Need {
  readonly case: Case;
  /** Milliseconds of all its runs until then. */
  readonly durationMs: number;
  /** Whether a decision is expected at all. */
  readonly isPromising: boolean;
}

/**
 * The cases that are expected to be decided soonest, first: as many as the time suffices for, and at least
 * one. Limited time so decides most, and verdicts come early.
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
    forecast: (key, subject) => longestOf(openPairs(key, subject).map((pair) => family.forecast(pair))),
    judgement: (key, subject) => family.judgement(comparisonKey({ key, baseline, subject })),
  };
}

function precisionJudge(runs: AdaptiveRuns, files: readonly BenchmarkFile[] | undefined): Judge {
  const precision = new SequentialPrecision(runs);
  return {
    take: (key, { benchmark, configuration, values }) => {
      const ranked = files && asTask(commandMark(files)({ benchmark, configuration }), files);
      precision.add(key, values.rate, ranked);
    },
    judge: () => precision.judge(),
    isOpen: (key) => precision.isOpen(key),
    forecast: (key) => precision.forecast(key),
    judgement: (key) => precision.judgement(key),
  };
}
