import type { SequentialJudgement, SequentialRatio, StopReason, Verdict } from '../judgement.ts';
import { isBeyond } from '../ratio.ts';
import { FIRST_LOOK, type SequentialBoundary } from './boundary.ts';
import { furtherPairs, runsToFirstLook } from './forecast.ts';
import { isHopeless } from './futility.ts';
import { estimatePairs, meansOfPairs, type PairEstimate, pairHalfWidth, pairP } from './pair-estimate.ts';

/** The settings that all comparisons of a family share. */
export interface SequentialSettings {
  readonly boundary: SequentialBoundary;
  /** The smallest ratio that matters, as a logarithm. */
  readonly margin: number;
  /** The probability of a false verdict. */
  readonly errorRate: number;
}

/** The used part of the error rate. The rest is a reserve, because the standard error and the correlation are estimates. */
const spent = 0.9;

/** The levels of the tests for a difference and for equivalence, which is two one-sided tests. */
export function levelsOf({ errorRate }: SequentialSettings) {
  return { difference: spent * errorRate, equivalence: 2 * errorRate };
}

/** The evidence about one case, look by look. */
export class SequentialComparison {
  readonly #settings: SequentialSettings;
  readonly #old: number[] = [];
  readonly #new: number[] = [];
  #estimate: PairEstimate | null = null;
  readonly #looks: PairEstimate[] = [];
  #leastWeightedP = 1;
  /** The sign of the estimate at the look with the strongest evidence. */
  #direction = 0;
  #interval: LogInterval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  #stopped: StopReason | null = null;
  #lookedAt = 0;

  constructor(settings: SequentialSettings) {
    this.#settings = settings;
  }

  /** Adds the rates of one pair of runs, operations per second. */
  add(oldRate: number, newRate: number): void {
    this.#old.push(oldRate);
    this.#new.push(newRate);
  }

  get runs(): number {
    return this.#old.length;
  }

  get stopped(): StopReason | null {
    return this.#stopped;
  }

  /** The p-value of a difference so far; 1 for equivalence and for a rate of 0, which are not discoveries. */
  get p(): number {
    if (this.#stopped === 'equivalence' || this.#stopped === 'zero rate') return 1;
    return pOf(this.#leastWeightedP, this.#settings.boundary);
  }

  /** Takes the new runs into account. Equivalence ignores them, so that it keeps the interval that decided it. */
  look(): void {
    const { boundary } = this.#settings;
    if (this.#isFinal || this.runs === this.#lookedAt) return;
    if (this.runs < FIRST_LOOK || this.runs > boundary.maxRuns) return;
    this.#lookedAt = this.runs;
    const estimate = estimatePairs({ old: this.#old, new: this.#new });
    if (estimate === null) {
      // A difference that was found stays a difference.
      if (this.#stopped === 'difference') return;
      this.#stopped = 'zero rate';
      this.#estimate = null;
      return;
    }
    this.#estimate = estimate;
    this.#looks.push(estimate);
    const weighted = boundary.weightedP(pairP(estimate), this.runs);
    const isStrongest = weighted < this.#leastWeightedP;
    if (isStrongest) {
      this.#leastWeightedP = weighted;
      this.#direction = Math.sign(estimate.logRatio);
    }
    this.#narrow(this.#intervalAt(estimate, levelsOf(this.#settings).difference), isStrongest);
  }

  /**
   * Decides by the last look.
   * @param isDiscovery whether `p` shows a difference after the correction for all cases
   */
  decide(isDiscovery: boolean): void {
    if (this.#isFinal) return;
    if (isDiscovery) this.#stopped = 'difference';
    else if (this.#stopped === null) this.#stopped = this.#reasonToStop();
  }

  /** The number of further pairs after which a verdict is expected; null if none is within the limit. */
  furtherRuns(): number | null {
    if (this.#estimate === null) return runsToFirstLook(this.runs);
    const { boundary, margin } = this.#settings;
    return furtherPairs(this.#estimate, margin, boundary, levelsOf(this.#settings));
  }

  /** The judgement at the last look. */
  judgement(adjustedP: number): SequentialJudgement {
    const estimate = this.#estimate;
    const ratio = estimate === null ? null : this.#ratioOf(estimate);
    return {
      method: 'sequential',
      verdict: this.#verdict(),
      improvement: ratio === null ? null : ratio.ratio - 1,
      stopped: this.#stopped,
      runs: this.runs,
      means: estimate === null ? null : meansOfPairs({ old: this.#old, new: this.#new }, estimate.runs),
      ratio,
      p: this.p,
      adjustedP,
      looks: [...this.#looks],
    };
  }

  get #isFinal(): boolean {
    return this.#stopped === 'equivalence' || this.#stopped === 'zero rate';
  }

  /**
   * Intersects the interval with that of a look. The repeated confidence intervals cover the true ratio at all looks together,
   * so their intersection covers it, too. An empty intersection means that the looks contradict each other, for example after
   * a change of the machine. The interval is then that of the look with the strongest evidence, which also decides the verdict.
   */
  #narrow(look: LogInterval, isStrongest: boolean): void {
    const low = Math.max(this.#interval.low, look.low);
    const high = Math.min(this.#interval.high, look.high);
    if (low <= high) this.#interval = { low, high };
    else if (isStrongest) this.#interval = look;
  }

  #intervalAt(estimate: PairEstimate, level: number): LogInterval {
    const half = pairHalfWidth(estimate, this.#settings.boundary.nominalP(level, estimate.runs));
    return { low: estimate.logRatio - half, high: estimate.logRatio + half };
  }

  #reasonToStop(): StopReason | null {
    const { boundary, margin } = this.#settings;
    const estimate = this.#estimate;
    if (estimate === null) return null;
    const levels = levelsOf(this.#settings);
    const { low, high } = this.#intervalAt(estimate, levels.equivalence);
    if (-margin < low && high < margin) return 'equivalence';
    if (estimate.runs >= boundary.maxRuns) return 'limit';
    return isHopeless(estimate, margin, boundary, levels) ? 'futility' : null;
  }

  #verdict(): Verdict {
    if (this.#stopped === 'equivalence') return 'same';
    if (this.#stopped !== 'difference' || this.#estimate === null) return 'undecided';
    return this.#direction > 0 ? 'higher' : 'lower';
  }

  /** The estimate of the last look, moved to the nearest end of the interval if it lies outside. */
  #ratioOf(estimate: PairEstimate): SequentialRatio {
    const isEquivalent = this.#stopped === 'equivalence';
    const levels = levelsOf(this.#settings);
    const { low, high } = isEquivalent ? this.#intervalAt(estimate, levels.equivalence) : this.#interval;
    const { errorRate } = this.#settings;
    return {
      ratio: Math.exp(Math.min(high, Math.max(low, estimate.logRatio))),
      low: Math.exp(low),
      high: Math.exp(high),
      confidence: 1 - (isEquivalent ? levels.equivalence : errorRate),
    };
  }
}

/** An interval of a log ratio. */
interface LogInterval {
  readonly low: number;
  readonly high: number;
}

/** The p-value of a difference, valid at any time. */
function pOf(leastWeightedP: number, boundary: SequentialBoundary): number {
  return Math.min(1, boundary.errorOf(leastWeightedP) / spent);
}

/**
 * The p-value of the null hypothesis that the true ratio is not beyond a limit: not below a limit under 1, or not above a limit
 * over 1. It is twice that of the one-sided test, and valid at any time, as `p`. It is at most the error rate only if the
 * interval lies beyond the limit, and it is 1 for equivalence.
 */
export function sequentialP(
  { stopped, ratio, looks }: SequentialJudgement,
  limit: number,
  boundary: SequentialBoundary,
): number {
  // The interval decides if looks contradict each other.
  const end = limit < 1 ? ratio?.high : ratio?.low;
  if (stopped === 'equivalence' || end === undefined || !isBeyond(end, limit)) return 1;
  const ps = looks
    .filter(({ logRatio }) => isBeyond(Math.exp(logRatio), limit))
    .map((look) => boundary.weightedP(pairP(look, Math.log(limit)), look.runs));
  return pOf(Math.min(1, ...ps), boundary);
}
