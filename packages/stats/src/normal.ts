import { createRequire } from 'node:module';

type Cdf = typeof import('@stdlib/stats-base-dists-normal-cdf');

// Loaded at the first use, like Student's t.
const require = createRequire(import.meta.url);
let loaded: { readonly cdf: Cdf } | undefined;

/** Probability that a standard normal variable is at least as far from 0 as `z`. */
export function twoSidedNormalP(z: number): number {
  loaded ??= { cdf: require('@stdlib/stats-base-dists-normal-cdf') };
  return Math.min(1, 2 * loaded.cdf(-Math.abs(z), 0, 1));
}
