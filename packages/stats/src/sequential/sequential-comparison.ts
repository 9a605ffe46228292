import type { RatePair } from '@bench-cli/results';
import { ERROR_RATE, type JudgedRatio, type Judgement, type StopReason, type Verdict } from '../judgement.ts';
import { atLimit, pairFloor, supportedPairP } from '../rank-evidence.ts';
import { isBeyond } from '../ratio.ts';
import { halfWidth } from '../welch.ts';
import { FIRST_LOOK, LEVELS, type SequentialBoundary, SPENT_SHARE } from './boundary.ts';
import { FIRST_FORECAST, type Forecast, forecastPairs, isHopeless } from './forecast.ts';
import { estimatePairs, type PairEstimate, pairP } from './pair-estimate.ts';

export interface SequentialSettings {
  readonly boundary: SequentialBoundary;
  /** The smallest ratio that matters, as a logarithm. */
  readonly margin: number;
}

/** The evidence about one case over its looks. */
export class SequentialComparison {
  readonly #settings: SequentialSettings;
  readonly #pairs: { readonly old: number[]; readonly new: number[] } = { old: [], new: [] };
  #estimate: PairEstimate | null = null;
  #leastLevel = 1;
  /** The sign of the estimate at the look with the strongest evidence. */
  #direction = 0;
  #interval: LogInterval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  #stopped: StopReason | null = null;
  /** Of the pairs so far. */
  #forecast: Forecast | undefined;

  constructor(settings: SequentialSettings) {
    this.#settings = settings;
  }

  add(oldRate: number, newRate: number): void {
    this.#pairs.old.push(oldRate);
    this.#pairs.new.push(newRate);
    this.#forecast = undefined;
  }

  get runs(): number {
    return this.#pairs.old.length;
  }

  get stopped(): StopReason | null {
    return this.#stopped;
  }

  /** The p-value of a difference so far; 1 for equivalence and for a rate of 0. */
  get p(): number {
    return this.#isFinal ? 1 : pOf(this.#leastLevel);
  }

  /** Takes new runs into account, except after equivalence, which keeps the interval that decided it. */
  look(): void {
    const { boundary } = this.#settings;
    if (this.#isFinal || this.runs === this.#estimate?.runs) return;
    if (this.runs < FIRST_LOOK || this.runs > boundary.maxRuns) return;
    const estimate = estimatePairs(this.#pairs);
    // A difference stays a difference.
    if (estimate === null && this.#stopped === 'difference') return;
    this.#estimate = estimate;
    if (estimate === null) {
      this.#stopped = 'zero-rate';
      return;
    }
    const p = supportedPairP(pairP(estimate), this.#pairs);
    const level = boundary.levelOf(p, this.runs);
    const isStrongest = level < this.#leastLevel;
    if (isStrongest) {
      this.#leastLevel = level;
      this.#direction = Math.sign(estimate.logRatio);
    }
    const interval = intervalAt(estimate, LEVELS.difference, boundary);
    // Without the support of ranks, a look excludes no direction.
    const ofLook =
      level <= LEVELS.difference
        ? interval
        : { low: Math.min(0, interval.low), high: Math.max(0, interval.high) };
    // The repeated confidence intervals cover the true ratio at all looks together, so their intersection
    // also covers it. If the looks contradict each other, for example after a change of the machine, the
    // intersection is empty. The interval is then that of the look with the strongest evidence, which also
    // decides the verdict.
    const low = Math.max(this.#interval.low, ofLook.low);
    const high = Math.min(this.#interval.high, ofLook.high);
    if (low <= high) this.#interval = { low, high };
    else if (isStrongest) this.#interval = ofLook;
  }

  /** @param isDiscovery whether `p` shows a difference after the correction for all cases */
  decide(isDiscovery: boolean): void {
    if (this.#isFinal) return;
    if (isDiscovery) this.#stopped = 'difference';
    else if (this.#stopped === null) this.#stopped = this.#reasonToStop();
  }

  forecast(): Forecast {
    this.#forecast ??= this.#newForecast();
    // Before the first look, the pairs do not show that there is no hope.
    return { ...this.#forecast, isPromising: this.#forecast.isPromising || this.#estimate === null };
  }

  #newForecast(): Forecast {
    const estimate = this.runs < FIRST_FORECAST ? null : estimatePairs(this.#pairs);
    if (estimate === null) return { runs: Math.max(1, FIRST_LOOK - this.runs), isPromising: true };
    const { boundary, margin } = this.#settings;
    return forecastPairs(estimate, margin, boundary);
  }

  /** The judgement at the last look. @param adjustedP `p` after the correction for all cases */
  judgement(adjustedP: number): Judgement {
    return {
      verdict: this.#verdict(),
      ratio: this.#estimate === null ? null : this.#ratioOf(this.#estimate),
      p: adjustedP,
      reason: this.#stopped,
      warnings: [],
      samples: { old: [...this.#pairs.old], new: [...this.#pairs.new] },
    };
  }

  get #isFinal(): boolean {
    return this.#stopped === 'equivalence' || this.#stopped === 'zero-rate';
  }

  #reasonToStop(): StopReason | null {
    const { boundary, margin } = this.#settings;
    const estimate = this.#estimate;
    if (estimate === null) return null;
    const { low, high } = intervalAt(estimate, LEVELS.equivalence, boundary);
    if (-margin < low && high < margin) return 'equivalence';
    if (estimate.runs >= boundary.maxRuns) return 'limit';
    return isHopeless(estimate, margin, boundary) ? 'futility' : null;
  }

  #verdict(): Verdict {
    if (this.#stopped === 'equivalence') return 'same';
    if (this.#stopped !== 'difference' || this.#estimate === null) return 'undecided';
    return this.#direction > 0 ? 'higher' : 'lower';
  }

  /** The estimate of the last look with its interval; null if not bounded. */
  #ratioOf(estimate: PairEstimate): JudgedRatio | null {
    const isEquivalent = this.#stopped === 'equivalence';
    const interval = isEquivalent
      ? intervalAt(estimate, LEVELS.equivalence, this.#settings.boundary)
      : this.#interval;
    if (!Number.isFinite(interval.high)) return null;
    const { logRatio, low, high } = around(estimate.logRatio, interval, this.#verdict() === 'undecided');
    return {
      ratio: Math.exp(logRatio),
      low: Math.exp(low),
      high: Math.exp(high),
      confidence: 1 - (isEquivalent ? 2 * ERROR_RATE : ERROR_RATE),
    };
  }
}

/** Infinite if so few runs cannot support the level. */
function intervalAt(estimate: PairEstimate, level: number, boundary: SequentialBoundary): LogInterval {
  const { runs, logRatio } = estimate;
  const risk = boundary.nominalP(level, runs);
  const half = pairFloor(runs) <= risk ? halfWidth(estimate, risk) : Number.POSITIVE_INFINITY;
  return { low: logRatio - half, high: logRatio + half };
}

/**
 * Extends an interval to an estimate outside of it. The interval of a difference stays on its side of 0: if
 * the last estimate contradicts the verdict, the nearest end replaces the estimate.
 */
function around(logRatio: number, { low, high }: LogInterval, isUndecided: boolean) {
  if (isUndecided || Math.sign(logRatio) === Math.sign(low + high))
    return { logRatio, low: Math.min(low, logRatio), high: Math.max(high, logRatio) };
  return { logRatio: Math.min(high, Math.max(low, logRatio)), low, high };
}

interface LogInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * The ratio of a difference with the intersection of the intervals of all looks at a smaller risk. It
 * contains the interval of the judgement, and stays on the same side of 1.
 * @param risk the probability that the interval misses the true ratio, valid at any time; at most the error
 * rate
 */
export function sequentialRatio(
  { verdict, ratio, samples: pairs }: Pick<Judgement, 'verdict' | 'ratio' | 'samples'>,
  risk: number,
  boundary: SequentialBoundary,
): JudgedRatio | null {
  if (ratio === null) return null;
  const looks = looksAt(pairs, boundary).map((look) => intervalAt(look, SPENT_SHARE * risk, boundary));
  const [least, most] = verdict === 'higher' ? [1, Number.POSITIVE_INFINITY] : [0, 1];
  return {
    ratio: ratio.ratio,
    low: Math.min(ratio.low, Math.max(least, ...looks.map(({ low }) => Math.exp(low)))),
    high: Math.max(ratio.high, Math.min(most, ...looks.map(({ high }) => Math.exp(high)))),
    confidence: 1 - risk,
  };
}

function looksAt(pairs: RatePair, { maxRuns }: SequentialBoundary): readonly PairEstimate[] {
  const length = Math.max(0, Math.min(pairs.old.length, maxRuns) - FIRST_LOOK + 1);
  const firsts = Array.from({ length }, (_, at) => firstPairs(pairs, FIRST_LOOK + at));
  return firsts.flatMap((each) => estimatePairs(each) ?? []);
}

function firstPairs({ old, new: new_ }: RatePair, count: number): RatePair {
  return { old: Array.from(old).slice(0, count), new: Array.from(new_).slice(0, count) };
}

/** The p-value of a difference, valid at any time. @param leastLevel the smallest crossed level */
function pOf(leastLevel: number): number {
  return Math.min(1, leastLevel / SPENT_SHARE);
}

/**
 * The p-value of the null hypothesis of `Method.pBeyond`, valid at any time. It is at most the error rate
 * only if the interval lies beyond the limit, and it is 1 for equivalence.
 */
export function sequentialP(
  { reason, ratio, samples: pairs }: Pick<Judgement, 'reason' | 'ratio' | 'samples'>,
  limit: number,
  boundary: SequentialBoundary,
): number {
  // If looks contradict each other, the interval decides.
  const end = limit < 1 ? ratio?.high : ratio?.low;
  if (reason === 'equivalence' || end === undefined || !isBeyond(end, limit)) return 1;
  const scaled = atLimit(pairs, limit);
  const ps = looksAt(scaled, boundary)
    .filter(({ logRatio }) => (limit < 1 ? logRatio < 0 : logRatio > 0))
    .map((look) => boundary.levelOf(supportedPairP(pairP(look), firstPairs(scaled, look.runs)), look.runs));
  return pOf(Math.min(1, ...ps));
}
