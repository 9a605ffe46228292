import { ERROR_RATE } from '../judgement.ts';
import { meanOf, varianceOf } from '../moments.ts';
import { ratioOfLog } from '../ratio.ts';
import { criticalT } from '../tail.ts';
import { boundaryFor, FIRST_LOOK, type SequentialBoundary } from './boundary.ts';
import { checkSequentialOptions, type SequentialOptions } from './sequential-family.ts';

/** A mean rate and why it needs no more runs. */
export interface PrecisionJudgement {
  /** Why there are no more runs; null while the case is open. */
  readonly reason: 'precision' | 'limit' | 'zero-rate' | null;
  readonly runs: number;
  /** The geometric mean of the rates, with an interval valid at every look; null with too few runs. */
  readonly mean: { readonly rate: number; readonly low: number; readonly high: number } | null;
}

/** Each process can draw one of several modes. An interval may miss modes of a smaller share of processes. */
const rarestMode = 0.3;

/**
 * Rates of cases under one subject. Each case runs until the interval of its mean lies within the margin
 * around it.
 * Method: repeated confidence intervals of the mean of the logarithms, as in `SequentialFamily`, valid at
 * every look; `ERROR_RATE` is the probability that the true mean lies outside its interval.
 */
export class SequentialPrecision {
  readonly #boundary: SequentialBoundary;
  readonly #margin: number;
  readonly #logRates = new Map<string, number[]>();
  readonly #stopped = new Map<string, 'precision' | 'limit' | 'zero-rate'>();

  constructor(options: SequentialOptions = {}) {
    const { margin, maxRuns } = checkSequentialOptions(options);
    this.#boundary = boundaryFor(maxRuns);
    this.#margin = Math.log1p(margin);
  }

  add(key: string, rate: number): void {
    const known = this.#logRates.get(key);
    if (known === undefined) this.#logRates.set(key, [Math.log(rate)]);
    else known.push(Math.log(rate));
  }

  /** Decides which cases need no more runs. Call it after each round. */
  judge(): void {
    for (const [key, logs] of this.#logRates) {
      if (this.#stopped.has(key) || logs.length < FIRST_LOOK) continue;
      const half = this.#halfWidth(logs);
      if (half === null) this.#stopped.set(key, 'zero-rate');
      else if (half <= this.#margin) this.#stopped.set(key, 'precision');
      else if (logs.length >= this.#boundary.maxRuns) this.#stopped.set(key, 'limit');
    }
  }

  /** Whether a case needs more runs; true for a case without runs. */
  isOpen(key: string): boolean {
    return !this.#stopped.has(key);
  }

  /** The number of further runs until the expected precision; null if above the limit. */
  furtherRuns(key: string): number | null {
    const logs = this.#logRates.get(key) ?? [];
    if (logs.length < this.#fewestRuns) return this.#fewestRuns - logs.length;
    const half = this.#halfWidth(logs);
    if (half === null) return null;
    // The width shrinks with the root of the number of runs.
    const total = Math.ceil(logs.length * (half / this.#margin) ** 2);
    return total > this.#boundary.maxRuns ? null : Math.max(1, total - logs.length);
  }

  judgement(key: string): PrecisionJudgement {
    const logs = this.#logRates.get(key) ?? [];
    const half = this.#halfWidth(logs);
    const { ratio: rate, ...interval } = ratioOfLog(meanOf(logs), half ?? 0);
    return {
      reason: this.#stopped.get(key) ?? null,
      runs: logs.length,
      mean: half === null || !Number.isFinite(half) ? null : { rate, ...interval },
    };
  }

  /** Null if a rate is 0, which has no logarithm. */
  #halfWidth(logs: readonly number[]): number | null {
    if (!Number.isFinite(meanOf(logs))) return null;
    if (logs.length < this.#fewestRuns) return Number.POSITIVE_INFINITY;
    return repeatedHalfWidth(logs, this.#boundary, ERROR_RATE);
  }

  /** The number of runs of which one probably draws a mode that `rarestMode` of all processes draw. */
  get #fewestRuns(): number {
    const runs = Math.ceil(Math.log(ERROR_RATE / 2) / Math.log1p(-rarestMode));
    return Math.min(this.#boundary.maxRuns, Math.max(FIRST_LOOK, runs));
  }
}

/**
 * Half the width of the repeated confidence interval of the mean of logarithms. The intervals of all looks
 * together miss the true mean with the probability `risk`, so the last interval holds for any reason to stop.
 * @param logs at least `FIRST_LOOK` finite values
 */
export function repeatedHalfWidth(
  logs: readonly number[],
  boundary: SequentialBoundary,
  risk: number,
): number {
  const runs = logs.length;
  const ofLook = boundary.nominalP(risk, Math.min(runs, boundary.maxRuns));
  return criticalT(ofLook, runs - 1) * Math.sqrt(varianceOf(logs) / runs);
}
