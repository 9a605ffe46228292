import { varianceOf } from '../moments.ts';
import { remembered } from '../remembered.ts';
import { criticalT } from '../tail.ts';
import type { SequentialBoundary } from './boundary.ts';

/** Half widths of the intervals of means, valid at every look of a boundary. */
export type RepeatedHalfWidth = (logs: readonly number[], runs?: number) => number;

/**
 * Half the width of the repeated confidence interval of a mean of logarithms. The intervals of all looks
 * together miss the true mean with the probability `risk`, so the last interval holds for any reason to stop.
 * @returns a function of at least `FIRST_LOOK` finite values, and of another number of runs that vary alike
 */
export function repeatedHalfWidths(boundary: SequentialBoundary, risk: number): RepeatedHalfWidth {
  const critical = remembered((runs: number) => {
    const ofLook = boundary.nominalP(risk, Math.min(runs, boundary.maxRuns));
    return criticalT(ofLook, runs - 1) / Math.sqrt(runs);
  });
  return (logs, runs = logs.length) => critical(runs) * Math.sqrt(varianceOf(logs));
}
