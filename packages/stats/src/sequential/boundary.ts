import { FIRST_LOOK } from '@bench-cli/results';
import { ERROR_RATE } from '../judgement.ts';
import { remembered } from '../remembered.ts';
import { criticalT } from '../tail.ts';
import { crossing, type Look, type Paths } from './crossing.ts';

export { FIRST_LOOK };

/** Crossing probabilities are computed at this many levels per decade, and interpolated between them. */
const levelsADecade = 3;

/** The spent part of the error rate. Extensions spend the rest. */
export const SPENT_SHARE = 0.9;

/** The levels of the tests for a difference and for equivalence. Equivalence has two one-sided tests. */
export const LEVELS = { difference: SPENT_SHARE * ERROR_RATE, equivalence: 2 * SPENT_SHARE * ERROR_RATE };

/**
 * The p-value that is needed after each run. It keeps the probability of a wrong result over all looks at the
 * chosen level, with a look after every run. After n of at most N runs, the nominal p-value (of a usual test)
 * crosses the boundary if it is at most c(level) × √(n / N). Early looks need stronger evidence than late
 * ones.
 *
 * The boundaries of smaller levels lie within those of larger levels. The smallest level crossed so far
 * therefore measures the evidence, and gives a p-value that is valid at any time.
 * The method assumes estimates with independent and about normal increments; see `crossing` for the method.
 * Source: C. Jennison and B. W. Turnbull, "Group Sequential Methods" (2000): chapter 2 on boundaries, 8.4 on
 * p-values from nested boundaries. A level that grows with the root of the runs decides most of what pairs
 * can support (`pairFloor`) early, and loses least to a fixed number of runs in the simulation (`pnpm
 * bench:verdicts`).
 */
export interface SequentialBoundary {
  readonly maxRuns: number;
  /**
   * The nominal p-value of the boundary after a number of runs.
   * @param level the probability of crossing over all looks; with any number of extensions, it is `level /
   * SPENT_SHARE`
   */
  nominalP(level: number, runs: number): number;
  /** The smallest level whose boundary this nominal p-value crosses. */
  levelOf(nominalP: number, runs: number): number;
  /** The paths that have not crossed the boundary up to its last look. */
  pathsAt(level: number): Paths;
}

const boundaries = new Map<string, SequentialBoundary>();

/**
 * The boundary for a maximum number of runs, cached.
 * @param maxRuns runs of each subject, a whole number, at least `FIRST_LOOK`
 * @param extendedFrom the maximum before each extension of the session, ascending and below `maxRuns`
 */
export function boundaryFor(maxRuns: number, extendedFrom: readonly number[] = []): SequentialBoundary {
  if (!Number.isInteger(maxRuns) || maxRuns < FIRST_LOOK)
    throw new RangeError(`a sequential comparison needs at least ${FIRST_LOOK} runs, not ${maxRuns}`);
  const key = [...extendedFrom, maxRuns].join();
  const former = extendedFrom.at(-1);
  const share = (1 / SPENT_SHARE - 1) / 2 ** extendedFrom.length;
  const boundary =
    boundaries.get(key) ??
    (former === undefined
      ? planned(maxRuns)
      : extended(maxRuns, boundaryFor(former, extendedFrom.slice(0, -1)), share));
  boundaries.set(key, boundary);
  return boundary;
}

function planned(maxRuns: number): SequentialBoundary {
  const cross = (coefficient: number) => crossing(looks(FIRST_LOOK, maxRuns, coefficient));
  const logRatio = remembered((index: number) => {
    const coefficient = 10 ** (index / levelsADecade);
    return Math.log(cross(coefficient).probability / coefficient);
  });
  /** The probability of crossing the boundary with this coefficient. */
  const levelOf = (coefficient: number) => {
    if (coefficient <= leastLevel) return coefficient;
    if (coefficient >= 1) return 1;
    // The ratio of probability and coefficient changes slowly.
    return Math.min(1, coefficient * Math.exp(interpolated(coefficient, logRatio)));
  };
  const coefficientFor = remembered((level: number) => {
    let low = level / maxRuns;
    let high = level;
    for (let halving = 0; halving < 40; halving++) {
      const middle = Math.sqrt(low * high);
      if (levelOf(middle) > level) high = middle;
      else low = middle;
    }
    return low;
  });
  return {
    maxRuns,
    nominalP: (level, runs) => coefficientFor(level) * growth(runs, maxRuns),
    levelOf: (nominalP, runs) => levelOf(nominalP / growth(runs, maxRuns)),
    pathsAt: (level) => cross(coefficientFor(level)).paths,
  };
}

/**
 * The boundary of a session that was continued with more runs. Up to the former maximum, it is the former
 * boundary. Each extension spends half of the unspent error rate on its looks, so the sum of any number of
 * extensions stays below the error rate, whatever their reason. The boundary takes into account that a path
 * has not crossed the former one.
 * Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70
 * (1983): a boundary spends an error rate look by look, and the number and times of looks need not be known
 * before.
 * @param share the spent part of each level
 */
function extended(maxRuns: number, former: SequentialBoundary, share: number): SequentialBoundary {
  const cross = (coefficient: number, paths: Paths) =>
    crossing(looks(former.maxRuns + 1, maxRuns, coefficient), paths);
  /** The coefficient, per level, at which the looks of the extension spend their share. */
  const logRatio = remembered((index: number) => {
    const level = 10 ** (index / levelsADecade);
    const paths = former.pathsAt(level);
    const wanted = share * level;
    // Secants of logarithms: the probability grows with a power of the coefficient, about 1 for many looks.
    let coefficient = wanted;
    let { probability } = cross(coefficient, paths);
    let power = 1;
    for (let step = 0; step < 50 && Math.abs(probability / wanted - 1) > 1e-3; step++) {
      const change = (wanted / probability) ** (1 / power);
      const next = cross(coefficient * change, paths).probability;
      power = Math.min(30, Math.max(0.3, Math.log(next / probability) / Math.log(change)));
      coefficient *= change;
      probability = next;
    }
    return Math.log(coefficient / level);
  });
  const coefficientFor = (level: number) => {
    const within = Math.min(mostLevel, level);
    return within * Math.exp(interpolated(within, logRatio));
  };
  return {
    maxRuns,
    nominalP: (level, runs) =>
      runs <= former.maxRuns ? former.nominalP(level, runs) : coefficientFor(level) * growth(runs, maxRuns),
    levelOf(nominalP, runs) {
      if (runs <= former.maxRuns) return former.levelOf(nominalP, runs);
      const coefficient = Math.max(leastLevel, nominalP / growth(runs, maxRuns));
      if (coefficient >= coefficientFor(mostLevel)) return 1;
      // Each step at least halves the error, because the ratio changes slowly.
      let level = mostLevel;
      for (let step = 0; step < 40; step++)
        level = Math.min(mostLevel, (level * coefficient) / coefficientFor(level));
      return level;
    },
    pathsAt: (level) => cross(coefficientFor(level), former.pathsAt(level)).paths,
  };
}

/** The p-value of a look as a share of the p-value of the last look. */
function growth(runs: number, maxRuns: number): number {
  return Math.sqrt(runs / maxRuns);
}

/** A look after each run. */
function looks(from: number, to: number, coefficient: number): readonly Look[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const runs = from + index;
    return { runs, nominalP: Math.min(mostNominalP, coefficient * growth(runs, to)) };
  });
}

/** @param value the value at the level 10^(index / levelsADecade) */
function interpolated(level: number, value: (index: number) => number): number {
  const place = Math.log10(level) * levelsADecade;
  const below = Math.floor(place);
  const share = place - below;
  return (1 - share) * value(below) + share * value(below + 1);
}

/** Below this level, the probability is bounded and not computed. */
const leastLevel = 1e-15;

/** Larger levels of an extension use the boundary of this level. */
const mostLevel = 0.2;

/** A boundary at p = 1 would leave no path. Error rates are far below it. */
const mostNominalP = 0.999;

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
