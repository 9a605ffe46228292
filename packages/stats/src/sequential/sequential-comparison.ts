import type { Verdict } from '../comparison.ts';
import type { SequentialBoundary } from './boundary.ts';
import { FIRST_LOOK } from './boundary.ts';
import { isHopeless } from './futility.ts';
import { estimatePairs, type PairEstimate, pairHalfWidth, pairP } from './pair-estimate.ts';

/**
 * Why a configuration needs no more runs.
 * - `difference`: the ratio differs from 1, also in view of all other configurations.
 * - `equivalence`: the interval of the ratio lies within the margin.
 * - `futility`: the rest of the runs would hardly bring a verdict.
 * - `limit`: it has had all its runs.
 * - `zero rate`: a rate of 0, of which no ratio can be formed.
 */
export type StopReason = 'difference' | 'equivalence' | 'futility' | 'limit' | 'zero rate';

/** How many times as fast the new subject is, with an interval that holds at every look. */
export interface SequentialRatio {
  /** The ratio of the geometric means: 1.05 is 5 % faster. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/** What is known of one configuration after some runs. */
export interface SequentialJudgement {
  /** `undecided` as long as it is open, and where it ends so. */
  readonly verdict: Verdict;
  /** Why it needs no more runs; null while it is open. */
  readonly stopped: StopReason | null;
  /** Pairs of runs. */
  readonly runs: number;
  /** Null with fewer than `FIRST_LOOK` pairs, or where a rate is 0. */
  readonly ratio: SequentialRatio | null;
  /**
   * The chance that evidence of a difference this strong ever turns up when there is none; 1 before the first look and
   * where equivalence was found.
   */
  readonly p: number;
  /** `p` after Benjamini and Hochberg's correction for all configurations. */
  readonly adjustedP: number;
}

/** What a sequential comparison promises. */
export interface SequentialSettings {
  readonly boundary: SequentialBoundary;
  /** The ratio, as a logarithm, up to which nobody cares. */
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
    this.#leastWeightedP = Math.min(this.#leastWeightedP, weighted);
  }

  /** Decides by the last look. @param isDiscovery whether its `p` counts in view of all configurations */
  decide(isDiscovery: boolean): void {
    if (this.#stopped === 'equivalence' || this.#stopped === 'difference') return;
    if (isDiscovery) this.#stopped = 'difference';
    else if (this.#stopped === null) this.#stopped = this.#reasonToStop();
  }

  /** What is known by now. */
  judgement(adjustedP: number): SequentialJudgement {
    const estimate = this.#estimate;
    return {
      verdict: this.#verdict(),
      stopped: this.#stopped,
      runs: this.runs,
      ratio: estimate === null ? null : this.#ratioOf(estimate),
      p: this.p,
      adjustedP,
    };
  }

  #reasonToStop(): StopReason | null {
    const { boundary, margin } = this.#settings;
    const estimate = this.#estimate;
    if (estimate === null) return null;
    const levels = levelsOf(this.#settings);
    const risk = boundary.nominalP(levels.equivalence, estimate.runs);
    if (Math.abs(estimate.logRatio) + pairHalfWidth(estimate, risk) < margin) return 'equivalence';
    if (estimate.runs >= boundary.maxRuns) return 'limit';
    return isHopeless(estimate, margin, boundary, levels) ? 'futility' : null;
  }

  #verdict(): Verdict {
    if (this.#stopped === 'equivalence') return 'no difference';
    if (this.#stopped !== 'difference' || this.#estimate === null) return 'undecided';
    return this.#estimate.logRatio > 0 ? 'faster' : 'slower';
  }

  #ratioOf(estimate: PairEstimate): SequentialRatio {
    const { boundary } = this.#settings;
    const risk = boundary.nominalP(levelsOf(this.#settings).difference, estimate.runs);
    const half = pairHalfWidth(estimate, risk);
    const { logRatio } = estimate;
    return { ratio: Math.exp(logRatio), low: Math.exp(logRatio - half), high: Math.exp(logRatio + half) };
  }
}
