import { createRequire } from 'node:module';

type Cdf = typeof import('@stdlib/stats-base-dists-t-cdf');
type Quantile = typeof import('@stdlib/stats-base-dists-t-quantile');

// The library consists of some 400 small files: about 70 ms to load. It is loaded at the first test, so that
// whoever only reads or writes CSV does not pay for it.
const require = createRequire(import.meta.url);
let loaded: { readonly cdf: Cdf; readonly quantile: Quantile } | undefined;

function distribution(): { readonly cdf: Cdf; readonly quantile: Quantile } {
  loaded ??= {
    cdf: require('@stdlib/stats-base-dists-t-cdf'),
    quantile: require('@stdlib/stats-base-dists-t-quantile'),
  };
  return loaded;
}

/** Probability that Student's t with `df` degrees of freedom is at least as far from 0 as `t`. */
export function twoSidedP(t: number, df: number): number {
  return 2 * distribution().cdf(-Math.abs(t), df);
}

/** The t that is exceeded, in one direction or the other, with the probability `risk`. */
export function criticalT(risk: number, df: number): number {
  return -distribution().quantile(risk / 2, df);
}
