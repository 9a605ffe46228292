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
  type PrecisionJudgement,
  pairedFamily,
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
  readonly last: Map<string, Pick<SucceededRun, 'durationMs' | 'sampling'>>;
  /** How its next processes sample, if that is planned. */
  plan?: SamplePlan | undefined;
  /** The cases that its runs reported, which is usually one; by key. */
  readonly reported: Map<string, Case>;
}

/**
 * Decides which cases need more runs. Decisions depend only on the runs so far, so that a resumed session
 * makes the same decisions as an uninterrupted one.
 * @param subjects names, the baseline first; the rate of a single one is measured to the precision of the
 * margin
 * @param size the number of cases of the command
 * @param lanes how many cases are measured at the same time
 * @param laterRuns how many runs the session has after these, within the same time limit
 * @param files the benchmarks; undefined unless the cases of one subject are ranked
 */
export function paceOf(
  options: AdaptiveRuns,
  subjects: readonly string[],
  size: number,
  givenUp: GivenUp,
  lanes = 1,
  laterRuns = 0,
  files?: readonly BenchmarkFile[],
) {
  const isCompared = subjects.length > 1;
  const budgetMs = (options.budgetMs ?? Number.POSITIVE_INFINITY) * lanes;
  /** The subjects with a judgement of their own: all but the baseline, or the only one. */
  const judged = isCompared ? subjects.slice(1) : subjects;
  const judge = isCompared ? comparisonJudge(options, subjects, size) : precisionJudge(options, files);
  const paced = new Map<string, PacedCase>();
  /** The reported cases with a decision, under each subject. */
  const decided = new Set<string>();
  let spentMs = 0;
  let runs = 0;
  let isOver = false;

  /** Takes a run of this session, executed now or before an interruption. */
  function take(run: RunRecord): void {
    spentMs += run.durationMs;
    runs++;
    if (run.kind !== 'rate') return;
    const { benchmark, configuration } = run;
    const scheduled = caseOf({ benchmark, configuration: scheduledConfiguration(run) });
    scheduled.last.set(run.subject, run.status === 'ok' ? run : { durationMs: run.durationMs });
    if (run.status === 'failed') return;
    const key = caseKey(run);
    scheduled.reported.set(key, { benchmark, configuration });
    judge.take(key, run);
  }

  /**
   * The cases of the next round: the open ones that are expected to be decided soonest, at most as many as
   * the time limit suffices for. The others wait.
   * @param isBegun whether a case has runs of a round, so that it takes part whether it is open or not
   */
  function nextRound(cases: readonly Case[], isBegun: (each: Case, round: number) => boolean = () => false) {
    const open = isSpent() ? [] : openCases(cases);
    const most = Math.max(smallestRound * lanes, Math.ceil(open.length * roundShare));
    const needs = open.map((each) => needOf(each));
    const due = new Set(soonest(needs, limitMs() - spentMs).slice(0, most));
    const next = cases.filter((each) => due.has(each) || isBegun(each, caseOf(each).rounds));
    for (const each of next) caseOf(each).rounds++;
    return next;
  }

  /** The present round of a case, from 0. No round of a case that has waited is missing. */
  function roundOf(scheduled: Case): number {
    return caseOf(scheduled).rounds - 1;
  }

  function openCases(cases: readonly Case[]): readonly Case[] {
    return cases.filter((each) => caseOf(each).rounds < options.maxRuns && openSubjects(each).length > 0);
  }

  /** The number of results that need more runs, and that of all, as the progress counts them. */
  function results(cases: readonly Case[]) {
    const open = openCases(cases).flatMap((each) => openSubjects(each));
    const undecided = open.filter((subject) => judged.includes(subject)).length;
    return { undecided, all: cases.length * judged.length };
  }

  /**
   * The subjects under which a case needs more runs. The baseline runs as long as any other subject does, and
   * a subject whose comparison is decided does not run any more. If all pairs decide, a subject runs as long
   * as any of its pairs is open.
   */
  function openSubjects(scheduled: Case): readonly string[] {
    const keys = [...caseOf(scheduled).reported.keys()];
    const isRunning = (subject: string) => !givenUp.has(scheduled, subject);
    const isOpen = (subject: string) =>
      isRunning(subject) && (keys.length === 0 || keys.some((key) => judge.isOpen(key, subject, isRunning)));
    if (options.allPairs) return subjects.filter(isOpen);
    const open = judged.filter(isOpen);
    return open.length === 0 ? [] : [...new Set([...subjects.slice(0, 1), ...open])];
  }

  function expect(scheduled: Case, order: SamplingOrder | undefined): void {
    caseOf(scheduled).plan = order === 'pilot' ? undefined : order;
  }

  /** Milliseconds that a case needs in the next round, by its last runs, or else by those of all cases. */
  function roundMs(scheduled: Case): number {
    const { last, plan } = caseOf(scheduled);
    const usualMs = spentMs / Math.max(1, runs);
    return sumOf(openSubjects(scheduled), (subject) => {
      const { durationMs, sampling } = last.get(subject) ?? { durationMs: usualMs, sampling: undefined };
      const sampledMs = (each: SamplePlan) => each.warmUpMs + each.measuredMs;
      return plan && sampling ? durationMs - sampledMs(sampling) + sampledMs(plan) : durationMs;
    });
  }

  /** The time that the open cases are expected to take, by their runs so far. */
  function outlook(cases: readonly Case[]) {
    const open = openCases(cases);
    const durationsMs = open.map((each) => {
      const { rounds } = caseOf(each);
      const usualRounds = rounds < FIRST_FORECAST ? options.maxRuns * usualShare - rounds : 0;
      return Math.max(needOf(each).durationMs, usualRounds * roundMs(each));
    });
    const totalMs = sumOf(durationsMs, (durationMs) => durationMs);
    // The runs of one case cannot overlap.
    const longestMs = Math.max(0, ...durationsMs);
    const neededMs = Math.max(totalMs / lanes, longestMs);
    const restMs = Math.max(0, (limitMs() - spentMs) / lanes);
    return { open: open.length, leftMs: Math.min(neededMs, restMs) };
  }

  /** Whether half of the next round of a case is expected to fit into the time; else the time is up. */
  function hasTimeFor(scheduled: Case): boolean {
    const leftMs = (limitMs() - spentMs) / lanes;
    isOver ||= leftMs < roundMs(scheduled) / 2;
    return !isSpent();
  }

  function isSpent(): boolean {
    return isOver || spentMs >= limitMs();
  }

  /** The time limit without the time of the later runs, which get at most half of it. */
  function limitMs(): number {
    const laterMs = (laterRuns * spentMs) / Math.max(1, runs);
    return budgetMs - Math.min(laterMs, budgetMs / 2);
  }

  /** @returns the new decisions; at the end of the session, the judgements of all cases without one */
  function decisions(isEnd = false): readonly Decision[] {
    judge.judge();
    const found: Decision[] = [];
    for (const [key, each] of [...paced.values()].flatMap(({ reported }) => [...reported])) {
      for (const subject of judged) {
        const side = JSON.stringify([key, subject]);
        if (decided.has(side) || (!isEnd && judge.isOpen(key, subject))) continue;
        decided.add(side);
        found.push({ ...each, subject, judgement: judge.judgement(key, subject) });
      }
    }
    return found;
  }

  function caseOf(scheduled: Case): PacedCase {
    const key = caseKey(scheduled);
    const state = paced.get(key) ?? { rounds: 0, last: new Map(), reported: new Map() };
    paced.set(key, state);
    return state;
  }

  function needOf(scheduled: Case): Need {
    const { reported, rounds } = caseOf(scheduled);
    const keys = reported.size > 0 ? [...reported.keys()] : [''];
    const forecasts = judged
      .filter((subject) => !givenUp.has(scheduled, subject))
      .flatMap((subject) =>
        keys.flatMap((key) => (judge.isOpen(key, subject) ? [judge.forecast(key, subject)] : [])),
      );
    const { runs, isPromising } = longestOf(forecasts);
    const left = Math.min(options.maxRuns - rounds, Math.max(1, runs));
    return { case: scheduled, durationMs: left * roundMs(scheduled), isPromising };
  }

  const ofCases = { open: openCases, nextRound, roundOf, openSubjects, expect, results, outlook };
  return { take, ...ofCases, hasTimeFor, isSpent, judge: decisions };
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
  const { family, take } = pairedFamily(pairs, runs, size);
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
    take: (key, { subject, round, values: { rate } }) => take({ key, subject, round, rate }),
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
