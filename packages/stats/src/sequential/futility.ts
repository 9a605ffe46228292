import { criticalZ, normalP } from '../normal.ts';
import type { SequentialBoundary } from './boundary.ts';
import type { PairEstimate } from './pair-estimate.ts';

/** A difference that the remaining runs would show with less than this probability is not worth them. */
const leastPower = 0.1;

/** The same for equivalence, if there were no difference. */
const leastEquivalencePower = 0.5;

/** The smallest effect, in margins, whose probability decides. */
const soughtMargins = 1.5;

/** With fewer runs the standard error is too uncertain for giving up. */
const firstLook = 6;

/**
 * Whether the remaining runs are unlikely to bring a verdict: neither a difference, even if the true effect were the larger of
 * 1.5 margins and the estimate plus one standard error, nor equivalence, even if there were no difference.
 *
 * Method: stochastic curtailment by conditional power, at the boundary of the last look. Giving up can only reduce the
 * probability of a false verdict.
 * Source: K. K. G. Lan, R. Simon and M. Halperin, "Stochastically curtailed tests in long-term clinical trials",
 * Sequential Analysis 1 (1982).
 *
 * @param margin as a logarithm, like the estimate
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
  // The standard deviation of the last estimate, given the runs so far.
  const spread = finalError * Math.sqrt(1 - done);
  const effect = Math.abs(estimate.logRatio);
  // The true effect may be a standard error larger than the estimate, which is much if runs are noisy.
  const sought = Math.max(effect + standardError, soughtMargins * margin);
  const expected = effect * done + sought * (1 - done);
  const needed = criticalZ(boundary.nominalP(levels.difference, maxRuns)) * finalError;
  if (normalP((expected - needed) / spread) >= leastPower) return false;
  const room = margin - criticalZ(boundary.nominalP(levels.equivalence, maxRuns)) * finalError;
  if (room <= 0) return true;
  const kept = effect * done;
  return normalP((room - kept) / spread) - normalP((-room - kept) / spread) < leastEquivalencePower;
}
