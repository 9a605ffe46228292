import { createRequire } from 'node:module';

type Cdf = typeof import('@stdlib/stats-base-dists-normal-cdf');
type InverseErfc = typeof import('@stdlib/math-base-special-erfcinv');

// Loaded at the first use, like Student's t.
const require = createRequire(import.meta.url);
let loaded: { readonly cdf: Cdf; readonly inverseErfc: InverseErfc } | undefined;

function distribution(): { readonly cdf: Cdf; readonly inverseErfc: InverseErfc } {
  loaded ??= {
    cdf: require('@stdlib/stats-base-dists-normal-cdf'),
    inverseErfc: require('@stdlib/math-base-special-erfcinv'),
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
  // The quantile of @stdlib goes by 1 - risk, which is 1 for the risks of early looks.
  return Math.SQRT2 * distribution().inverseErfc(risk);
}
