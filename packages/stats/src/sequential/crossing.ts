import { criticalZ, normalP } from '../normal.ts';

/** A look at the data. */
export interface Look {
  /** Observations so far. */
  readonly runs: number;
  /** The two-sided p-value at or below which the boundary is crossed. */
  readonly nominalP: number;
}

/** Grid points per standard deviation of a step. Twice as many change the results by less than a factor of 3e-4. */
const density = 3;

/**
 * The probability that the mean of normal observations with a true mean of 0 crosses the boundary at one or more looks, in
 * either direction.
 *
 * Method: recursive numerical integration of the density of the sum of the observations, over the paths that have not
 * crossed the boundary.
 * Source: P. Armitage, C. K. McPherson and B. C. Rowe, "Repeated significance tests on accumulating data", J. R. Stat.
 * Soc. A 132 (1969); C. Jennison and B. W. Turnbull, "Group Sequential Methods" (2000), chapter 19.
 *
 * @param looks at least one, in the order of their runs
 */
export function crossingProbability(looks: readonly Look[]): number {
  let crossed = 0;
  // Before the first observation the sum is 0.
  let paths: readonly Point[] = [{ sum: 0, mass: 1 }];
  let runs = 0;
  for (const look of looks) {
    const bound = criticalZ(look.nominalP) * Math.sqrt(look.runs);
    const step = Math.sqrt(look.runs - runs);
    for (const { sum, mass } of paths) {
      crossed += mass * (normalP((sum - bound) / step) + normalP((-sum - bound) / step));
    }
    paths = continued(paths, bound, step);
    runs = look.runs;
  }
  return crossed;
}

/** A value of the sum of the observations, with the probability of the interval around it. */
interface Point {
  readonly sum: number;
  readonly mass: number;
}

/** Steps of more standard deviations add nothing in double precision. */
const farthest = 9;

/** The density of the sum after a step, within the bounds, by Simpson's rule. */
function continued(paths: readonly Point[], bound: number, step: number): readonly Point[] {
  const intervals = 2 * Math.ceil((bound * density) / step);
  const width = (2 * bound) / intervals;
  const factor = width / 3 / (step * Math.sqrt(2 * Math.PI));
  return Array.from({ length: intervals + 1 }, (_, index) => {
    const sum = -bound + index * width;
    let density = 0;
    for (const from of paths) {
      const distance = (sum - from.sum) / step;
      if (Math.abs(distance) < farthest) density += from.mass * Math.exp(-(distance ** 2) / 2);
    }
    const weight = index === 0 || index === intervals ? 1 : index % 2 === 1 ? 4 : 2;
    return { sum, mass: density * factor * weight };
  });
}
