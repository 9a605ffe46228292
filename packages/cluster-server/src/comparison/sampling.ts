import type { CompleteComparisonOptions } from './comparison-options.ts';

/** Rounds over which a fixed number of samples is spread: enough to see their variation, with few processes to start. */
const FIXED_ROUNDS = 5;
/** Samples per client and round with `samples: 'auto'`. */
const AUTO_SAMPLES = 20;
/** Rounds before the tolerances are checked. */
const FEWEST_ROUNDS = { auto: 5, fixed: 3 };

interface Progress {
  readonly rounds: number;
  /** Samples of the client so far. */
  readonly taken: number;
  readonly elapsedMs: number;
  /** Tolerances of the clients that have not failed, fractions; null if not known yet. */
  readonly tolerances: readonly (number | null)[];
}

/** The number of samples of a client in the next round; 0 if it needs no more. */
export function nextSamples(
  { samples, errorThreshold, timeLimitSeconds }: CompleteComparisonOptions,
  { rounds, taken, elapsedMs, tolerances }: Progress,
): number {
  const fewest = samples === 'auto' ? FEWEST_ROUNDS.auto : FEWEST_ROUNDS.fixed;
  if (rounds >= fewest && tolerances.every((it) => it !== null && isSettled(it, errorThreshold))) return 0;
  if (samples === 'auto') return elapsedMs < timeLimitSeconds * 1000 ? AUTO_SAMPLES : 0;
  // Samples can be missing: a block ends with a sample that is too long for cronometro.
  return Math.ceil((samples - taken) / Math.max(1, FIXED_ROUNDS - rounds));
}

/** Whether a tolerance (a fraction) is below the threshold (per cent). */
export function isSettled(tolerance: number, errorThreshold: number): boolean {
  return tolerance * 100 < errorThreshold;
}
