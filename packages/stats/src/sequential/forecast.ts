import { criticalZ } from '../normal.ts';
import { permutationFloor } from '../permutation-floor.ts';
import { FIRST_LOOK, type SequentialBoundary } from './boundary.ts';
import type { PairEstimate } from './pair-estimate.ts';

/**
 * How many more pairs of runs a verdict takes, if the estimate and the spread of the runs stay as they are. It decides on what
 * time is spent and how long that may take, never a verdict.
 * @param margin as a logarithm, like the estimate
 * @returns null if no number up to the maximum is expected to bring a verdict
 */
export function furtherPairs(
  { runs, logRatio, standardError }: PairEstimate,
  margin: number,
  boundary: SequentialBoundary,
  levels: { readonly difference: number; readonly equivalence: number },
): number | null {
  const effect = Math.abs(logRatio);
  for (let total = runs + 1; total <= boundary.maxRuns; total++) {
    const error = standardError * Math.sqrt(runs / total);
    const floor = permutationFloor(total, total);
    // So few runs may not support the level, whatever they are.
    const halfWidth = (level: number) => {
      const nominalP = boundary.nominalP(level, total);
      return floor <= nominalP ? criticalZ(nominalP) * error : Number.POSITIVE_INFINITY;
    };
    if (effect >= halfWidth(levels.difference)) return total - runs;
    if (effect + halfWidth(levels.equivalence) <= margin) return total - runs;
  }
  return null;
}

/** The runs until the first look; before it, nothing is known. */
export function runsToFirstLook(runs: number): number {
  return Math.max(1, FIRST_LOOK - runs);
}
