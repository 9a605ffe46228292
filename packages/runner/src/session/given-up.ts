import { type Case, caseKey } from '@bench-cli/results';
import type { ScheduledRun } from '../plan/schedule.ts';

/**
 * The cases whose runs fail too often under a subject. They are given up under that subject, and under all subjects if nothing
 * is left to compare: if that subject is the baseline, or the only one with which the baseline is still compared.
 */
export class GivenUp {
  readonly #baseline: string | undefined;
  readonly #others: readonly string[];
  readonly #subjectsByCase = new Map<string, Set<string>>();

  /** @param subjects names, the baseline first */
  constructor([baseline, ...others]: readonly string[]) {
    this.#baseline = baseline;
    this.#others = others;
  }

  add(run: ScheduledRun): void {
    const key = caseKey(run);
    this.#subjectsByCase.set(key, (this.#subjectsByCase.get(key) ?? new Set()).add(run.subject));
  }

  has(of: Case, subject: string): boolean {
    const failed = this.#subjectsByCase.get(caseKey(of));
    if (failed === undefined) return false;
    const isBaselineIdle = this.#others.length > 0 && this.#others.every((other) => failed.has(other));
    return (
      failed.has(subject) || (this.#baseline !== undefined && failed.has(this.#baseline)) || isBaselineIdle
    );
  }
}
