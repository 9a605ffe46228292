import { remembered } from '../remembered.ts';
import { criticalT } from '../tail.ts';
import type { SequentialBoundary } from './boundary.ts';

/** Half widths of the intervals of means, valid at every look of a boundary. */
export type RepeatedHalfWidth = (variance: number, runs: number) => number;

/**
 * Half the width of the repeated confidence interval of a mean of logarithms. The intervals of all looks
 * together miss the true mean with the probability `risk`, so the last interval holds for any reason to stop.
 * @returns a function of the variance of the logarithms and of their number, at least `FIRST_LOOK`
 */
export function repeatedHalfWidths(boundary: SequentialBoundary, risk: number): RepeatedHalfWidth {
  const critical = remembered((runs: number) => {
    const ofLook = boundary.nominalP(risk, Math.min(runs, boundary.maxRuns));
    return criticalT(ofLook, runs - 1) / Math.sqrt(runs);
  });
  return (variance, runs) => critical(runs) * Math.sqrt(variance);
}
