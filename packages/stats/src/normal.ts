import { createRequire } from 'node:module';

type Cdf = typeof import('@stdlib/stats-base-dists-normal-cdf');
type Quantile = typeof import('@stdlib/stats-base-dists-normal-quantile');

// Loaded at the first use, like Student's t.
const require = createRequire(import.meta.url);
let loaded: { readonly cdf: Cdf; readonly quantile: Quantile } | undefined;

function distribution(): { readonly cdf: Cdf; readonly quantile: Quantile } {
  loaded ??= {
    cdf: require('@stdlib/stats-base-dists-normal-cdf'),
    quantile: require('@stdlib/stats-base-dists-normal-quantile'),
  };
  return loaded;
}

/** Probability that a standard normal variable is at least as far from 0 as `z`. */
export function twoSidedNormalP(z: number): number {
  return Math.min(1, 2 * distribution().cdf(-Math.abs(z), 0, 1));
}

/** Probability that a standard normal variable is at most `z`. */
export function normalP(z: number): number {
  return distribution().cdf(z, 0, 1);
}

/** The z that a standard normal variable exceeds, in one direction or the other, with the probability `risk`. */
export function criticalZ(risk: number): number {
  return -distribution().quantile(risk / 2, 0, 1);
}
