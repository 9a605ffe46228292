import type { Case } from '@bench-cli/results';

/** What a case is expected to take until it is decided. */
export interface Need {
  readonly case: Case;
  /** Milliseconds of all its runs until then. */
  readonly durationMs: number;
  /** Whether a decision is expected at all. */
  readonly isPromising: boolean;
}

/**
 * The cases on which limited time decides most: all if it suffices for them, else those that are expected to need the least, as
 * many as it suffices for, and at least one.
 * @param leftMs what remains of the time
 */
export function affordable(needs: readonly Need[], leftMs: number): readonly Case[] {
  const sorted = [...needs].sort(
    (a, b) => Number(b.isPromising) - Number(a.isPromising) || a.durationMs - b.durationMs,
  );
  let neededMs = 0;
  const count = sorted.findIndex(({ durationMs }) => {
    neededMs += durationMs;
    return neededMs > leftMs;
  });
  return sorted.slice(0, count < 0 ? sorted.length : Math.max(1, count)).map((need) => need.case);
}
