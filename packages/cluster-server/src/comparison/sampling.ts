import type { CompleteComparisonOptions } from './comparison-options.ts';

/** Rounds that a fixed number of samples is spread over: enough to see their spread, few enough to start little. */
const FIXED_ROUNDS = 5;
/** Samples of a client in each round when their number is not fixed. */
const AUTO_SAMPLES = 20;
/** Rounds that are made before anything is said on tolerance. */
export const FEWEST_ROUNDS = 5;

/** How far a comparison is. */
export interface Progress {
  /** Rounds made. */
  readonly rounds: number;
  readonly elapsedMs: number;
  /** Of the clients that are still measured: fractions, null where there is none yet. */
  readonly tolerances: readonly (number | null)[];
}

/** How many samples each client gives in the next round; 0 when it is enough. */
export function nextSamples(
  { samples, errorThreshold, timeLimitSeconds }: CompleteComparisonOptions,
  { rounds, elapsedMs, tolerances }: Progress,
): number {
  if (tolerances.length === 0) return 0;
  const settled =
    rounds >= FEWEST_ROUNDS && tolerances.every((it) => it !== null && isSettled(it, errorThreshold));
  if (settled) return 0;
  if (samples === 'auto') return elapsedMs < timeLimitSeconds * 1000 ? AUTO_SAMPLES : 0;
  const all = Math.min(FIXED_ROUNDS, samples);
  if (rounds >= all) return 0;
  return Math.floor(((rounds + 1) * samples) / all) - Math.floor((rounds * samples) / all);
}

/** Whether a tolerance, a fraction, is below the threshold, per cent. */
export function isSettled(tolerance: number, errorThreshold: number): boolean {
  return tolerance * 100 < errorThreshold;
}
