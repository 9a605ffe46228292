import { settings } from '@bench-cli/results/settings';
import { ERROR_RATE } from '../judgement.ts';
import { meanOf, quantile, squaresOf, varianceOf } from '../moments.ts';
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

const soFar: Spread = { varianceFor: ({ logs }) => varianceOf(logs), runsOf: ({ logs }) => logs.length };

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
    this.#usualVariance = undefined;
  }

  /** Decides which cases need no more runs. Call it after each round. */
  judge(): void {
    for (const measured of this.#cases.values()) {
      const runs = measured.logs.length;
      if (measured.reason !== null || runs < FIRST_LOOK) continue;
      if (!isFiniteMean(measured)) measured.reason = 'zero-rate';
      else if (this.#isDone(measured))
        measured.reason = this.#isKnown(varianceOf(measured.logs), runs) ? 'precision' : 'place';
      else if (runs >= this.#boundary.maxRuns) measured.reason = 'limit';
    }
  }

  isOpen(key: string): boolean {
    return (this.#cases.get(key)?.reason ?? null) === null;
  }

  /** The number of further runs until the expected end. Cases vary alike, so that few runs of each tell about all. */
  forecast(key: string): Forecast {
    const measured = this.#cases.get(key);
    if (measured === undefined || !isFiniteMean(measured))
      return { runs: this.#fewestRuns, isPromising: true };
    this.#usualVariance ??= this.#medianVariance();
    const squares = usual.runs * this.#usualVariance;
    const varianceFor = ({ logs }: MeasuredCase) =>
      (squaresOf(logs) + squares) / (logs.length - 1 + usual.runs);
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
    return { runs: Math.min(low, most) - done, isPromising: low <= most };
  }

  judgement(key: string): PrecisionJudgement {
    const { logs, reason } = this.#cases.get(key) ?? { logs: [], reason: null };
    const isKnown = logs.length >= this.#fewestRuns && Number.isFinite(meanOf(logs));
    const { ratio: rate, ...interval } = ratioOfLog(
      meanOf(logs),
      isKnown ? this.#halfWidth(varianceOf(logs), logs.length) : 0,
    );
    return { reason, runs: logs.length, mean: isKnown ? { rate, ...interval } : null };
  }

  #medianVariance(): number {
    const known = [...this.#cases.values()].filter((each) => each.logs.length > 1 && isFiniteMean(each));
    const variances = known.map(({ logs }) => varianceOf(logs)).sort((a, b) => a - b);
    return variances.length > 0 ? quantile(variances, 1 / 2) : usual.variance;
  }

  /** Whether the mean is known within the margin after so many runs of this variance. */
  #isKnown(variance: number, runs: number): boolean {
    return this.#halfWidth(variance, runs) <= this.#margin;
  }

  /** Whether a case needs no more runs. */
  #isDone(measured: MeasuredCase, { varianceFor, runsOf }: Spread = soFar): boolean {
    const { logs, rivals, ranking } = measured;
    const runs = runsOf(measured);
    const variance = varianceFor(measured);
    const isHopeless = rivals.size > 0 && !this.#isKnown(variance, this.#preciseRuns);
    if (runs < this.#fewestRuns || !(isHopeless || this.#isKnown(variance, runs))) return false;
    const halfWidth = this.#rankedHalfWidth(ranking.size);
    const half = halfWidth(variance, runs);
    return [...rivals].filter(isFiniteMean).every((rival) => {
      if (runsOf(rival) < FIRST_LOOK) return false;
      const difference = Math.abs(meanOf(logs) - meanOf(rival.logs));
      const error = half + halfWidth(varianceFor(rival), runsOf(rival));
      return difference > error || difference + error <= this.#margin;
    });
  }

  #begin(key: string, ranked?: RankedCase): MeasuredCase {
    const ranking = this.#rankings.get(ranked?.benchmark ?? key) ?? new Set();
    const measured: MeasuredCase = { logs: [], rivals: new Set(), ranking, reason: null };
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
function isFiniteMean({ logs }: Pick<MeasuredCase, 'logs'>): boolean {
  return Number.isFinite(meanOf(logs));
}
