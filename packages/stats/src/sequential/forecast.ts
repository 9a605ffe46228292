import { meanOf } from '../moments.ts';
import { pairFloor } from '../rank-evidence.ts';
import { criticalZ, normalP } from '../tail.ts';
import { FIRST_LOOK, LEVELS, type SequentialBoundary } from './boundary.ts';
import type { PairEstimate } from './pair-estimate.ts';

/** What the open cases need. It plans time and never decides a verdict. */
export interface Forecast {
  /** The expected number of further runs. */
  readonly runs: number;
  /** Whether they are expected to bring a verdict. */
  readonly isPromising: boolean;
}

/** Fewer pairs do not show how much their ratio varies. */
export const FIRST_FORECAST = 4;

/** Five equally probable distances of the true effect from the estimate, in standard errors. */
const distances = [0, -1.28, -0.52, 0.52, 1.28];

/**
 * The expected number of further pairs until a verdict, or until there is little hope, if the spread stays as
 * it is: the mean over five true effects, because the estimate is uncertain. Promising is what the estimate
 * itself brings.
 * @param margin as a logarithm, like the estimate
 */
export function forecastPairs(
  estimate: PairEstimate,
  margin: number,
  boundary: SequentialBoundary,
): Forecast {
  const ends = distances.map((distance) => endOf(estimate, distance, margin, boundary));
  return { runs: meanOf(ends.map(({ runs }) => runs)), isPromising: ends[0]?.isPromising ?? false };
}

function endOf(
  estimate: PairEstimate,
  distance: number,
  margin: number,
  boundary: SequentialBoundary,
): Forecast {
  const { runs, logRatio, standardError } = estimate;
  for (let total = Math.max(FIRST_LOOK, runs + 1); total <= boundary.maxRuns; total++) {
    const known = runs / total;
    const error = standardError * Math.sqrt(known);
    const effect = Math.abs(logRatio + distance * standardError * (1 - known));
    const floor = pairFloor(total);
    // Too few runs cannot support the level, whatever their rates.
    const halfWidth = (level: number) => {
      const nominalP = boundary.nominalP(level, total);
      return floor <= nominalP ? criticalZ(nominalP) * error : Number.POSITIVE_INFINITY;
    };
    const isFound = effect >= halfWidth(LEVELS.difference);
    if (isFound || effect + halfWidth(LEVELS.equivalence) <= margin)
      return { runs: total - runs, isPromising: true };
    if (isHopeless({ ...estimate, runs: total, logRatio: effect, standardError: error }, margin, boundary))
      return { runs: total - runs, isPromising: false };
  }
  return { runs: boundary.maxRuns - runs, isPromising: false };
}

/** A difference with a smaller probability of being shown does not justify the remaining runs. */
const leastPower = 0.1;

/** The same limit for equivalence, if there is no difference. */
const leastEquivalencePower = 0.5;

/** The smallest effect worth finding, in margins. */
const soughtMargins = 1.5;

/**
 * Whether the remaining runs are unlikely to bring a verdict: neither a difference, even if the true effect
 * were the larger of 1.5 margins and the estimate plus one standard error, nor equivalence, even if there
 * were no difference.
 * Method: stochastic curtailment by conditional power, at the boundary of the last look. Giving up can only
 * reduce the probability of a false verdict.
 * Source: K. K. G. Lan, R. Simon and M. Halperin, "Stochastically curtailed tests in long-term clinical
 * trials", Sequential Analysis 1 (1982).
 * @param margin as a logarithm, like the estimate
 */
export function isHopeless(estimate: PairEstimate, margin: number, boundary: SequentialBoundary): boolean {
  const { maxRuns } = boundary;
  const { runs, standardError } = estimate;
  if (runs >= maxRuns || standardError === 0) return false;
  const done = runs / maxRuns;
  const finalError = standardError * Math.sqrt(done);
  // The standard deviation of the last estimate, given the runs so far.
  const spread = finalError * Math.sqrt(1 - done);
  const effect = Math.abs(estimate.logRatio);
  // The true effect may exceed the estimate by a standard error, which is large with noisy runs.
  const sought = Math.max(effect + standardError, soughtMargins * margin);
  const expected = effect * done + sought * (1 - done);
  const needed = criticalZ(boundary.nominalP(LEVELS.difference, maxRuns)) * finalError;
  if (normalP((expected - needed) / spread) >= leastPower) return false;
  const room = margin - criticalZ(boundary.nominalP(LEVELS.equivalence, maxRuns)) * finalError;
  if (room <= 0) return true;
  const kept = effect * done;
  return normalP((room - kept) / spread) - normalP((-room - kept) / spread) < leastEquivalencePower;
}
