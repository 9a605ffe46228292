import { criticalZ, normalP } from '../normal.ts';
import type { SequentialBoundary } from './boundary.ts';
import type { PairEstimate } from './pair-estimate.ts';

/** A verdict that the rest of the runs would bring with less than this probability is not worth them. */
const leastPower = 0.1;

/** The same for "no difference", if the truth were none at all. */
const leastEquivalencePower = 0.5;

/** Effects from this many margins on are looked for to the end. */
const soughtMargins = 1.5;

/** Before so many runs the standard error is too uncertain to give up by. */
const firstLook = 6;

/**
 * Whether the runs that are left have little chance to bring any verdict: a difference, even if the truth were the larger
 * of 1.5 margins and a standard error more than the estimate, in its direction; or equivalence, even if the truth were none.
 *
 * Method: stochastic curtailment by conditional power, at the boundary of the last look. Giving up can only lower the
 * risk of a false verdict.
 * Source: K. K. G. Lan, R. Simon and M. Halperin, "Stochastically curtailed tests in long-term clinical trials",
 * Sequential Analysis 1 (1982).
 *
 * @param margin in logarithms, as the estimate
 */
export function isHopeless(
  estimate: PairEstimate,
  margin: number,
  boundary: SequentialBoundary,
  levels: { readonly difference: number; readonly equivalence: number },
): boolean {
  const { maxRuns } = boundary;
  const { runs, standardError } = estimate;
  if (runs < firstLook || runs >= maxRuns || standardError === 0) return false;
  const done = runs / maxRuns;
  const finalError = standardError * Math.sqrt(done);
  // The standard deviation of what the last estimate will be, seen from here.
  const spread = finalError * Math.sqrt(1 - done);
  const effect = Math.abs(estimate.logRatio);
  // The truth may well lie a standard error beyond the estimate; where runs are noisy that is a large effect.
  const sought = Math.max(effect + standardError, soughtMargins * margin);
  const expected = effect * done + sought * (1 - done);
  const needed = criticalZ(boundary.nominalP(levels.difference, maxRuns)) * finalError;
  if (normalP((expected - needed) / spread) >= leastPower) return false;
  const room = margin - criticalZ(boundary.nominalP(levels.equivalence, maxRuns)) * finalError;
  if (room <= 0) return true;
  const kept = effect * done;
  return normalP((room - kept) / spread) - normalP((-room - kept) / spread) < leastEquivalencePower;
}
