import type { RunRecord } from '@bench-cli/results/recording';

/** The time limit of a session. Recorded runs count, so that a resumed session ends at the same run. */
export class Budget {
  readonly #limitMs: number;
  #spentMs = 0;

  constructor(limitMs = Number.POSITIVE_INFINITY, lanes = 1) {
    this.#limitMs = limitMs * lanes;
  }

  take({ durationMs }: Pick<RunRecord, 'durationMs'>): void {
    this.#spentMs += durationMs;
  }

  get spentMs(): number {
    return this.#spentMs;
  }

  get isSpent(): boolean {
    return this.#spentMs >= this.#limitMs;
  }
}
