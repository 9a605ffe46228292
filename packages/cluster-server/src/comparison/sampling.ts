import type { CompleteComparisonOptions } from './comparison-options.ts';

/** Rounds over which a fixed number of samples is spread: enough to see their variation, with few processes to start. */
const FIXED_ROUNDS = 5;
/** Samples per client and round with `samples: 'auto'`. */
const AUTO_SAMPLES = 20;
/** Rounds before the tolerances are checked. */
const FEWEST_ROUNDS = 5;

interface Progress {
  readonly rounds: number;
  readonly elapsedMs: number;
  /** Tolerances of the clients that have not failed, fractions; null if not known yet. */
  readonly tolerances: readonly (number | null)[];
}

/** The number of samples per client in the next round; 0 if the comparison is complete. */
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

/** Whether a tolerance (a fraction) is below the threshold (per cent). */
export function isSettled(tolerance: number, errorThreshold: number): boolean {
  return tolerance * 100 < errorThreshold;
}

/**
 * The order of clients in a round, counted from 0. Each round starts with another client, and every second round has the
 * reverse order, so that each client has each place equally often and not always the same predecessor.
 */
export function rotated<Item>(items: readonly Item[], round: number): readonly Item[] {
  const start = items.length === 0 ? 0 : round % items.length;
  const turned = [...items.slice(start), ...items.slice(0, start)];
  return round % 2 === 0 ? turned : [...turned.slice(0, 1), ...turned.slice(1).reverse()];
}
