import { distributions } from './load-distributions.ts';

/** Probability that a standard normal variable is at least as far from 0 as `z`. */
export function twoSidedNormalP(z: number): number {
  return Math.min(1, 2 * distributions().normalCdf(-Math.abs(z), 0, 1));
}
