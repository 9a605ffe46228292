import type { AdaptiveRuns, SessionRequest } from './line.ts';

/** The rule of an adaptive session; undefined for a fixed number of runs. */
export function adaptiveRuns(runs: SessionRequest['runs']): AdaptiveRuns | undefined {
  return typeof runs === 'number' ? undefined : runs;
}

export function mostRuns(runs: SessionRequest['runs']): number {
  return typeof runs === 'number' ? runs : runs.maxRuns;
}
