import { settings } from '@bench-cli/results/settings';
import { ERROR_RATE } from '../judgement.ts';
import { meanOf, quantile, squaresOf } from '../moments.ts';
import { type RankedCase, rankedLists } from '../ranking.ts';
import { ratioOfLog } from '../ratio.ts';
import { remembered } from '../remembered.ts';
import {
  boundaryFor,
  FIRST_LOOK,
  type RepeatedHalfWidth,
  repeatedHalfWidths,
  type SequentialBoundary,
} from './boundary.ts';
import type { Forecast } from './forecast.ts';
import { checkSequentialOptions, type SequentialOptions } from './sequential-family.ts';

/** A mean rate and why it needs no more runs. */
export interface PrecisionJudgement {
  /**
   * Why there are no more runs; null while the case is open. `place`: its place among others is decided, and
   * its runs vary too much for the precision.
   */
  readonly reason: 'precision' | 'place' | 'limit' | 'zero-rate' | null;
  readonly runs: number;
  /** The geometric mean of the rates, with an interval valid at every look; null with too few runs. */
  readonly mean: { readonly rate: number; readonly low: number; readonly high: number } | null;
}

/** Each process can draw one of several modes. An interval may miss modes of a smaller share of processes. */
const rarestMode = 0.3;

/** A ranked case goes on for a precise rate at most this many times as long as for an interval. */
const longest = 1.5;

/** The assumed variance of logarithms of rates, and the weight of what other cases show, in runs. */
const usual = { variance: 0.08 ** 2, runs: 3 };

interface MeasuredCase {
  readonly logs: number[];
  /** The mean of the logarithms, and the sum of the squares of what they differ from it. */
  mean: number;
  squares: number;
  /** The cases that differ from it only in one ranked parameter. */
  readonly rivals: Set<MeasuredCase>;
  /** All cases of its ranking. */
  readonly ranking: Set<MeasuredCase>;
  reason: PrecisionJudgement['reason'];
}

/** How much the runs of cases vary, and how many there are: so far, or expected. */
interface Spread {
  varianceFor(measured: MeasuredCase): number;
  runsOf(measured: MeasuredCase): number;
}

const soFar: Spread = {
  varianceFor: ({ logs, squares }) => squares / (logs.length - 1),
  runsOf: ({ logs }) => logs.length,
};

/**
 * Rates of cases under one subject. Each case runs until the interval of its mean lies within the margin
 * around it, and until its place among the cases that it is ranked with is decided: it differs from each of
 * them certainly, or by less than the margin. A case with a place ends as well if its runs vary too much for
 * the margin: within all runs if it is smaller than the usual one, and otherwise within few.
 * Method: repeated confidence intervals of the mean of the logarithms, as in `SequentialFamily`, valid at
 * every look; `ERROR_RATE` is the probability that the true mean lies outside its interval. Places have the
 * wider intervals of `rankValues`, which hold for all cases of a ranking together.
 */
export class SequentialPrecision {
  readonly #boundary: SequentialBoundary;
  readonly #margin: number;
  /** The runs in which the rate of a ranked case may become precise. */
  readonly #preciseRuns: number;
  readonly #cases = new Map<string, MeasuredCase>();
  readonly #rivals = new Map<string, Set<MeasuredCase>>();
  readonly #rankings = new Map<string, Set<MeasuredCase>>();
  readonly #halfWidth: RepeatedHalfWidth;
  /** By the number of cases of a ranking. */
  readonly #rankedHalfWidth: (cases: number) => RepeatedHalfWidth;
  /** Of the runs so far, computed when a forecast needs it. */
  #usualVariance: number | undefined;

  constructor(options: SequentialOptions = {}) {
    const { margin, maxRuns } = checkSequentialOptions(options);
    this.#boundary = boundaryFor(maxRuns);
    this.#margin = Math.log1p(margin);
    const few = Math.min(maxRuns, Math.floor(longest * this.#fewestRuns));
    this.#preciseRuns = margin < settings.margin.default.run ? maxRuns : few;
    this.#halfWidth = repeatedHalfWidths(this.#boundary, ERROR_RATE);
    this.#rankedHalfWidth = remembered((cases) => repeatedHalfWidths(this.#boundary, ERROR_RATE / cases));
  }

  /** @param ranked the case, if it has a place among others */
  add(key: string, rate: number, ranked?: RankedCase): void {
    const known = this.#cases.get(key) ?? this.#begin(key, ranked);
    known.logs.push(Math.log(rate));
    known.mean = meanOf(known.logs);
    known.squares = squaresOf(known.logs);
    this.#usualVariance = undefined;
  }

  /** Decides which cases need no more runs. Call it after each round. */
  judge(): void {
    for (const measured of this.#cases.values()) {
      const runs = measured.logs.length;
      if (measured.reason !== null || runs < FIRST_LOOK) continue;
      if (!isFiniteMean(measured)) measured.reason = 'zero-rate';
      else if (this.#isDone(measured))
        measured.reason = this.#isKnown(soFar.varianceFor(measured), runs) ? 'precision' : 'place';
      else if (runs >= this.#boundary.maxRuns) measured.reason = 'limit';
    }
  }

  isOpen(key: string): boolean {
    return (this.#cases.get(key)?.reason ?? null) === null;
  }

  /**
   * The number of further runs until the expected end. Cases vary alike, so that few runs of each tell about
   * all. Cases that have begun go first, and those with an interval wait for the others, with which they are
   * compared.
   */
  forecast(key: string): Forecast {
    const measured = this.#cases.get(key);
    if (measured === undefined || !isFiniteMean(measured))
      return { runs: this.#fewestRuns, isPromising: false };
    this.#usualVariance ??= this.#medianVariance();
    const squares = usual.runs * this.#usualVariance;
    const varianceFor = (each: MeasuredCase) =>
      (each.squares + squares) / (each.logs.length - 1 + usual.runs);
    const done = measured.logs.length;
    const most = this.#boundary.maxRuns;
    let [low, high] = [done + 1, most + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const runsOf = (each: MeasuredCase) =>
        each.reason === null ? Math.max(middle, each.logs.length) : each.logs.length;
      if (this.#isDone(measured, { varianceFor, runsOf })) high = middle;
      else low = middle + 1;
    }
    const waits = done >= FIRST_LOOK && [...measured.rivals].some(({ logs }) => logs.length < FIRST_LOOK);
    return { runs: Math.min(low, most) - done, isPromising: low <= most && !waits };
  }

  judgement(key: string): PrecisionJudgement {
    const measured = this.#cases.get(key);
    if (measured === undefined) return { reason: null, runs: 0, mean: null };
    const { logs, mean, reason } = measured;
    const runs = logs.length;
    if (runs < this.#fewestRuns || !isFiniteMean(measured)) return { reason, runs, mean: null };
    const half = this.#halfWidth(soFar.varianceFor(measured), runs);
    const { ratio: rate, ...interval } = ratioOfLog(mean, half);
    return { reason, runs, mean: { rate, ...interval } };
  }

  #medianVariance(): number {
    const known = [...this.#cases.values()].filter((each) => each.logs.length > 1 && isFiniteMean(each));
    const variances = known.map(soFar.varianceFor).sort((a, b) => a - b);
    return variances.length > 0 ? quantile(variances, 1 / 2) : usual.variance;
  }

  /** Whether the mean is known within the margin after so many runs of this variance. */
  #isKnown(variance: number, runs: number): boolean {
    return this.#halfWidth(variance, runs) <= this.#margin;
  }

  /** Whether a case needs no more runs. */
  #isDone(measured: MeasuredCase, { varianceFor, runsOf }: Spread = soFar): boolean {
    const { rivals, ranking, mean } = measured;
    const runs = runsOf(measured);
    const variance = varianceFor(measured);
    const isHopeless = rivals.size > 0 && !this.#isKnown(variance, this.#preciseRuns);
    if (runs < this.#fewestRuns || !(isHopeless || this.#isKnown(variance, runs))) return false;
    const halfWidth = this.#rankedHalfWidth(ranking.size);
    const half = halfWidth(variance, runs);
    return [...rivals].filter(isFiniteMean).every((rival) => {
      if (runsOf(rival) < FIRST_LOOK) return false;
      const difference = Math.abs(mean - rival.mean);
      const error = half + halfWidth(varianceFor(rival), runsOf(rival));
      return difference > error || difference + error <= this.#margin;
    });
  }

  #begin(key: string, ranked?: RankedCase): MeasuredCase {
    const ranking = this.#rankings.get(ranked?.benchmark ?? key) ?? new Set();
    const measured: MeasuredCase = {
      logs: [],
      mean: 0,
      squares: 0,
      rivals: new Set(),
      ranking,
      reason: null,
    };
    this.#cases.set(key, measured);
    if (ranked === undefined) return measured;
    this.#rankings.set(ranked.benchmark, ranking.add(measured));
    for (const list of rankedLists(ranked)) {
      const others = this.#rivals.get(list) ?? new Set();
      for (const other of others) {
        other.rivals.add(measured);
        measured.rivals.add(other);
      }
      this.#rivals.set(list, others.add(measured));
    }
    return measured;
  }

  /** The number of runs of which one probably draws a mode that `rarestMode` of all processes draw. */
  get #fewestRuns(): number {
    const runs = Math.ceil(Math.log(ERROR_RATE / 2) / Math.log1p(-rarestMode));
    return Math.min(this.#boundary.maxRuns, Math.max(FIRST_LOOK, runs));
  }
}

/** False after a rate of 0, which has no logarithm. */
function isFiniteMean({ mean }: MeasuredCase): boolean {
  return Number.isFinite(mean);
}
