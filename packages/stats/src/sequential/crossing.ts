import { criticalZ, normalP } from '../tail.ts';

export interface Look {
  readonly runs: number;
  /** The two-sided p-value at or below which the boundary is crossed. */
  readonly nominalP: number;
}

/** Grid points per standard deviation of one run. Doubling them changes the results by less than 3e-4. */
const density = 3;

/** The distribution of the sum of the observations that have not crossed a boundary so far. */
export interface Paths {
  readonly runs: number;
  readonly points: readonly Point[];
}

/** Before the first observation the sum is 0. */
const begin = { runs: 0, points: [{ sum: 0, mass: 1 }] } as const satisfies Paths;

/**
 * The probability that the mean of normal observations with a true mean of 0 crosses the boundary at one or
 * more looks, in either direction, and the paths that do not cross.
 * Method: recursive numerical integration of the density of the sum of the observations over the paths that
 * have not crossed.
 * Source: P. Armitage, C. K. McPherson and B. C. Rowe, "Repeated significance tests on accumulating data", J.
 * R. Stat. Soc. A 132 (1969); C. Jennison and B. W. Turnbull, "Group Sequential Methods" (2000), chapter 19.
 * @param looks at least one, in the order of their runs
 * @param from the paths after the previous looks
 */
export function crossing(looks: readonly Look[], from: Paths = begin): { probability: number; paths: Paths } {
  let probability = 0;
  let { runs, points } = from;
  for (const look of looks) {
    const bound = criticalZ(look.nominalP) * Math.sqrt(look.runs);
    const step = Math.sqrt(look.runs - runs);
    for (const { sum, mass } of points)
      probability += mass * (normalP((sum - bound) / step) + normalP((-sum - bound) / step));
    points = continued(points, bound, step);
    runs = look.runs;
  }
  return { probability, paths: { runs, points } };
}

/** A value of the sum of the observations, with the probability of the interval around it. */
interface Point {
  readonly sum: number;
  readonly mass: number;
}

/** Longer steps, in standard deviations, add nothing in double precision. */
const farthest = 9;

/** The density of the sum after a step, by Simpson's rule. @param paths with ascending sums */
function continued(paths: readonly Point[], bound: number, step: number): readonly Point[] {
  const intervals = 2 * Math.ceil(bound * density);
  const width = (2 * bound) / intervals;
  const factor = width / 3 / (step * Math.sqrt(2 * Math.PI));
  let nearest = 0;
  return Array.from({ length: intervals + 1 }, (_, index) => {
    const sum = -bound + index * width;
    let density = 0;
    for (let at = nearest; at < paths.length; at++) {
      const { sum: before, mass } = paths[at] ?? begin.points[0];
      const distance = (sum - before) / step;
      if (distance <= -farthest) break;
      if (distance >= farthest) nearest = at + 1;
      else density += mass * Math.exp(-(distance ** 2) / 2);
    }
    const weight = index === 0 || index === intervals ? 1 : index % 2 === 1 ? 4 : 2;
    return { sum, mass: density * factor * weight };
  });
}
