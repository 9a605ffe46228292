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
 * The cases that are expected to be decided soonest, first: as many as the time suffices for, and at least one. Limited time so
 * decides most, and verdicts come early.
 * @param leftMs what remains of the time
 */
export function soonest(needs: readonly Need[], leftMs: number): readonly Case[] {
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
