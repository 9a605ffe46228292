import type { RunRecord } from '@bench-cli/results/recording';

export type Budget = ReturnType<typeof sessionBudget>;

/** The time limit of a session. Recorded runs count, so that a resumed session ends at the same run. */
export function sessionBudget(limitMs = Number.POSITIVE_INFINITY, lanes = 1) {
  let spentMs = 0;
  return {
    take({ durationMs }: Pick<RunRecord, 'durationMs'>): void {
      spentMs += durationMs;
    },
    get spentMs() {
      return spentMs;
    },
    get isSpent() {
      return spentMs >= limitMs * lanes;
    },
  };
}
