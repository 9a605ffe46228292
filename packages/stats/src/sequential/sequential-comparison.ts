import type { SequentialJudgement, SequentialRatio, StopReason, Verdict } from '../judgement.ts';
import { FIRST_LOOK, type SequentialBoundary } from './boundary.ts';
import { isHopeless } from './futility.ts';
import { estimatePairs, type PairEstimate, pairHalfWidth, pairP } from './pair-estimate.ts';

/** What a sequential comparison promises. */
export interface SequentialSettings {
  readonly boundary: SequentialBoundary;
  /** The smallest ratio that matters, as a logarithm. */
  readonly margin: number;
  /** The chance of a false verdict. */
  readonly errorRate: number;
}

/** A tenth of the error rate is kept back, since t quantiles and the correlation within pairs are only estimates. */
const spent = 0.9;

/** The levels at which differences and equivalence are looked for; equivalence must hold at two ends, one of which is tested. */
export function levelsOf({ errorRate }: SequentialSettings) {
  return { difference: spent * errorRate, equivalence: 2 * errorRate };
}

/** The evidence on one configuration, look by look. */
export class SequentialComparison {
  readonly #settings: SequentialSettings;
  readonly #old: number[] = [];
  readonly #new: number[] = [];
  #estimate: PairEstimate | null = null;
  #leastWeightedP = 1;
  /** Of the look with the strongest evidence. */
  #direction = 0;
  #interval: LogInterval = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };
  #stopped: StopReason | null = null;
  #lookedAt = 0;

  constructor(settings: SequentialSettings) {
    this.#settings = settings;
  }

  /** Takes the rates of one pair of runs, operations per second. */
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

  /** The p-value of a difference so far; one that was found equivalent is no discovery. */
  get p(): number {
    if (this.#stopped === 'equivalence') return 1;
    return Math.min(1, this.#settings.boundary.errorOf(this.#leastWeightedP) / spent);
  }

  /** Looks at what has come since the last look. */
  look(): void {
    const { boundary } = this.#settings;
    if (this.runs === this.#lookedAt || this.runs < FIRST_LOOK || this.runs > boundary.maxRuns) return;
    this.#lookedAt = this.runs;
    this.#estimate = estimatePairs({ old: this.#old, new: this.#new });
    if (this.#estimate === null) {
      this.#stopped ??= 'zero rate';
      return;
    }
    const weighted = boundary.weightedP(pairP(this.#estimate), this.runs);
    const isStrongest = weighted < this.#leastWeightedP;
    if (isStrongest) {
      this.#leastWeightedP = weighted;
      this.#direction = Math.sign(this.#estimate.logRatio);
    }
    this.#narrow(this.#intervalAt(this.#estimate, levelsOf(this.#settings).difference), isStrongest);
  }

  /** Decides by the last look. @param isDiscovery whether its `p` counts in view of all configurations */
  decide(isDiscovery: boolean): void {
    if (this.#stopped === 'equivalence' || this.#stopped === 'difference') return;
    if (isDiscovery) this.#stopped = 'difference';
    else if (this.#stopped === null) this.#stopped = this.#reasonToStop();
  }

  /** What is known by now. */
  judgement(adjustedP: number): SequentialJudgement {
    const ratio = this.#estimate === null ? null : this.#ratioOf(this.#estimate);
    return {
      method: 'sequential',
      verdict: this.#verdict(),
      improvement: ratio === null ? null : ratio.ratio - 1,
      stopped: this.#stopped,
      runs: this.runs,
      ratio,
      p: this.p,
      adjustedP,
    };
  }

  /**
   * Intersects the interval with that of a look: if all of them hold, so does what they share. Two looks whose intervals
   * share nothing contradict each other, as after a change of the machine; then the look with the stronger evidence counts,
   * which is also the one that the verdict follows.
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
    if (this.#stopped === 'equivalence') return 'no difference';
    if (this.#stopped !== 'difference' || this.#estimate === null) return 'undecided';
    return this.#direction > 0 ? 'faster' : 'slower';
  }

  /** The estimate of the last look, moved to the nearest end of the interval where it lies outside. */
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

/** Of a log ratio. */
interface LogInterval {
  readonly low: number;
  readonly high: number;
}
