import type { MetricDescription } from '@bench-cli/results/recording';
import { ERROR_RATE, type Judgement } from '../judgement.ts';
import { cumulative } from '../moments.ts';
import type { RatioInterval } from '../ratio.ts';
import { SequentialFamily, type SequentialOptions } from '../sequential/sequential-family.ts';
import { ChangePlace } from './change-place.ts';

/** Neighbouring versions. One of them is the first bad version. */
export interface VersionRange<Version = number> {
  readonly first: Version;
  /** Equal to `first` if one version was found. */
  readonly last: Version;
  /** The probability that one of these versions is the first bad one. */
  readonly probability: number;
}

export interface SearchedVersion {
  readonly version: string;
  readonly runs: number;
  /** The version divided by the good end; null with too few runs for an interval. */
  readonly ratio: RatioInterval | null;
  /** The end that the version resembles. */
  readonly verdict: 'good' | 'bad' | 'undecided';
  /** Why the version could not be measured. */
  readonly skipped?: string | undefined;
}

export interface SearchResult {
  /** The compared metric; absent for the rate. */
  readonly metric?: MetricDescription;
  /** The comparison of the bad end with the good end. */
  readonly ends: Judgement;
  /** Undefined unless the ends differ. */
  readonly found: FoundVersions | undefined;
  readonly good: string;
  /** The measured and the skipped versions, from the first after the good end to the bad end. */
  readonly versions: readonly SearchedVersion[];
  /** The number of versions after the good end. */
  readonly size: number;
  /** The number of runs, including runs of the good end and failed runs. */
  readonly runs: number;
  /** Wall time of the runs, milliseconds. */
  readonly runsMs: number;
  /** The limit that ended the search early: the time limit, or the maximum of runs of a version. */
  readonly limit?: 'time' | 'runs' | undefined;
}

export interface FoundVersions extends VersionRange<string> {
  /** The version before `first`. */
  readonly before: string;
}

/** The search leaves a version whose side has this probability, and returns if runs contradict it. */
const settled = 0.9;

/** The fewest pairs of runs of a version. A verdict needs more, but later steps can contradict a step. */
const fewestPairs = 3;

const ENDS = '';

/**
 * Searches the first bad version by pairs of runs: one run of a version, one of the good end. Versions are
 * numbered in their order. The last version is the bad end; the good end precedes the first version.
 *
 * The search first compares the ends until they differ (`SequentialFamily`). Each further pair updates the
 * probability that a version is the first bad one (`ChangePlace`). The search measures the version that
 * divides the probability in half until its side is settled, then the next one, until one version has the
 * probability 1 - error rate. A single step can be wrong: later steps then contradict it, and the search
 * returns to its version. Such steps need fewer runs than certain steps (`pnpm bench:bisect`).
 * Source: M. Horstein, "Sequential transmission using noiseless feedback", IEEE Trans. Inf. Theory 9 (1963);
 * R. Waeber, P. I. Frazier and S. G. Henderson, "Bisection search with noisy responses", SIAM J. Control
 * Optim. 51 (2013).
 */
export class Bisection {
  readonly #ends: SequentialFamily;
  readonly #changePlace: ChangePlace;
  readonly #badEnd: number;
  readonly #skipped = new Map<number, string>();
  /** For each version, the probability that it is bad. */
  #bad: Float64Array = new Float64Array();
  #current: number | undefined;

  /** @param options for the comparison of the ends; `maxRuns` also limits the runs of each version */
  constructor(size: number, options: SequentialOptions = {}) {
    this.#ends = new SequentialFamily(options);
    this.#changePlace = new ChangePlace(size);
    this.#badEnd = size - 1;
  }

  /** Adds a pair of runs: rates or amounts. Skips a version with a rate of 0, because it has no ratio. */
  add(version: number, goodRate: number, rate: number): void {
    if (this.#ends.isOpen(ENDS)) {
      this.#ends.add(ENDS, goodRate, rate);
      this.#ends.judge();
    }
    const logRatio = Math.log(rate / goodRate);
    if (!Number.isFinite(logRatio)) {
      this.skip(version, 'a rate of 0 has no ratio');
      return;
    }
    this.#changePlace.add(version, logRatio);
    this.#bad = cumulative(Float64Array.from(this.#changePlace.probabilities()));
  }

  skip(version: number, reason: string): void {
    this.#skipped.set(version, reason);
  }

  ends(): Judgement {
    return this.#ends.judgement(ENDS);
  }

  /** The version to measure next; undefined at the end. The result changes only with new runs or skips. */
  next(): number | undefined {
    if (this.#ends.isOpen(ENDS)) return this.#isOpen(this.#badEnd) ? this.#badEnd : undefined;
    this.#current = this.#dividing(this.range());
    if (this.#current === undefined) return undefined;
    // The bad end needs at least as many runs as the current version.
    const isBadEndDue = this.#changePlace.runs(this.#badEnd) <= this.#changePlace.runs(this.#current);
    return isBadEndDue && this.#isOpen(this.#badEnd) ? this.#badEnd : this.#current;
  }

  /** The fewest versions with the probability 1 - error rate; undefined unless the ends differ. */
  range(): VersionRange | undefined {
    if (this.ends().reason !== 'difference') return undefined;
    let best: VersionRange | undefined;
    let first = 0;
    for (const last of this.#bad.keys()) {
      // Drop versions at the start while the rest has enough probability.
      while (first < last && this.#between(first + 1, last) >= 1 - ERROR_RATE) first++;
      const probability = this.#between(first, last);
      if (probability < 1 - ERROR_RATE) continue;
      if (best === undefined || last - first < best.last - best.first) best = { first, last, probability };
    }
    return best;
  }

  evidence(version: number): Omit<SearchedVersion, 'version'> {
    const skipped = this.#skipped.get(version);
    return {
      runs: this.#changePlace.runs(version),
      ratio: this.#changePlace.ratio(version, ERROR_RATE),
      verdict: this.#verdict(version),
      ...(skipped !== undefined && { skipped }),
    };
  }

  #verdict(version: number): SearchedVersion['verdict'] {
    const { reason, verdict } = this.ends();
    if (reason !== 'difference') return version === this.#badEnd && verdict === 'same' ? 'good' : 'undecided';
    const probability = this.#bad[version] ?? 0;
    if (probability >= 1 - ERROR_RATE) return 'bad';
    return probability <= ERROR_RATE ? 'good' : 'undecided';
  }

  /** The version in a range whose probability of being bad is closest to 1/2. */
  #dividing(range: VersionRange | undefined): number | undefined {
    if (range === undefined) return undefined;
    const { first, last } = range;
    const current = this.#current;
    if (current !== undefined && this.#isOpen(current) && !this.#isSettled(current)) return current;
    const doubt = (version: number) => Math.abs((this.#bad[version] ?? 0) - 0.5);
    return Array.from({ length: last - first }, (_, at) => first + at)
      .filter((version) => this.#isOpen(version))
      .toSorted((a, b) => doubt(a) - doubt(b))[0];
  }

  #isOpen(version: number): boolean {
    return !this.#skipped.has(version) && this.#changePlace.runs(version) < this.#ends.boundary.maxRuns;
  }

  #isSettled(version: number): boolean {
    const probability = this.#bad[version] ?? 0;
    return (
      this.#changePlace.runs(version) >= fewestPairs && Math.max(probability, 1 - probability) >= settled
    );
  }

  #between(first: number, last: number): number {
    return (this.#bad[last] ?? 0) - (this.#bad[first - 1] ?? 0);
  }
}
