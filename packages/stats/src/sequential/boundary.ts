import { FIRST_LOOK } from '@bench-cli/results';
import { crossing, type Look, type Paths } from './crossing.ts';

export { FIRST_LOOK };

/** Levels per decade at which the crossing probability is computed; it is interpolated between them. */
const levelsADecade = 3;

/** The used part of the error rate. The rest is for extensions. */
export const SPENT = 0.9;

/**
 * The p-value that is needed after each run, so that the probability of a wrong result over all looks stays at the chosen
 * level, although there is a look after every run. The nominal p-value, which is that of a usual test, crosses the boundary
 * after n of at most N runs if it is at most c(level) × n / N. Early looks need strong evidence, and the last look counts almost
 * in full.
 *
 * The boundaries of a smaller level lie within those of a larger one. The smallest level that is crossed so far therefore measures the
 * evidence, and gives a p-value that is valid at any time.
 *
 * It assumes estimates with independent and about normal increments; see `crossing` for the method.
 * Source: C. Jennison and B. W. Turnbull, "Group Sequential Methods" (2000): chapter 2 on boundaries, 8.4 on p-values
 * from nested boundaries. The c grows in proportion to the runs; of its powers, this one did best in the simulation
 * (`pnpm bench:verdicts`).
 */
export abstract class SequentialBoundary {
  readonly maxRuns: number;

  protected constructor(maxRuns: number) {
    this.maxRuns = maxRuns;
  }

  /**
   * The boundary for a maximum number of runs. It is computed once.
   * @param maxRuns runs of each subject, a whole number, at least `FIRST_LOOK`
   * @param extendedFrom the maximum before each extension of the session, ascending and below `maxRuns`
   */
  static for(maxRuns: number, extendedFrom: readonly number[] = []): SequentialBoundary {
    if (!Number.isInteger(maxRuns) || maxRuns < FIRST_LOOK) {
      throw new RangeError(`a sequential comparison needs at least ${FIRST_LOOK} runs, not ${maxRuns}`);
    }
    const key = [...extendedFrom, maxRuns].join();
    const known = boundaries.get(key);
    if (known !== undefined) return known;
    const former = extendedFrom.at(-1);
    const boundary =
      former === undefined
        ? new PlannedBoundary(maxRuns)
        : new ExtendedBoundary(
            maxRuns,
            SequentialBoundary.for(former, extendedFrom.slice(0, -1)),
            (1 / SPENT - 1) / 2 ** extendedFrom.length,
          );
    boundaries.set(key, boundary);
    return boundary;
  }

  /**
   * The nominal p-value of the boundary after a number of runs.
   * @param level the probability of crossing it over all looks, without extensions; with any number of them it is `level / SPENT`
   */
  abstract nominalP(level: number, runs: number): number;

  /** The smallest level whose boundary this nominal p-value crosses. */
  abstract levelOf(nominalP: number, runs: number): number;

  /** The paths that have not crossed the boundary at its last look. */
  abstract pathsAt(level: number): Paths;
}

class PlannedBoundary extends SequentialBoundary {
  readonly #logRatios = new Map<number, number>();
  readonly #coefficients = new Map<number, number>();

  constructor(maxRuns: number) {
    super(maxRuns);
  }

  override nominalP(level: number, runs: number): number {
    return (this.#coefficientFor(level) * runs) / this.maxRuns;
  }

  override levelOf(nominalP: number, runs: number): number {
    return this.#levelOf((nominalP * this.maxRuns) / runs);
  }

  override pathsAt(level: number): Paths {
    return crossing(this.#looks(this.#coefficientFor(level))).paths;
  }

  /** The probability of crossing the boundary with this coefficient. */
  #levelOf(coefficient: number): number {
    if (coefficient <= leastLevel) return coefficient;
    if (coefficient >= 1) return 1;
    // The ratio of the probability and the coefficient changes slowly.
    const ratio = interpolated(coefficient, (index) => this.#logRatio(index));
    return Math.min(1, coefficient * Math.exp(ratio));
  }

  #coefficientFor(level: number): number {
    const known = this.#coefficients.get(level);
    if (known !== undefined) return known;
    let low = level / this.maxRuns;
    let high = level;
    for (let halving = 0; halving < 40; halving++) {
      const middle = Math.sqrt(low * high);
      if (this.#levelOf(middle) > level) high = middle;
      else low = middle;
    }
    this.#coefficients.set(level, low);
    return low;
  }

  #logRatio(index: number): number {
    const known = this.#logRatios.get(index);
    if (known !== undefined) return known;
    const coefficient = 10 ** (index / levelsADecade);
    const ratio = Math.log(crossing(this.#looks(coefficient)).probability / coefficient);
    this.#logRatios.set(index, ratio);
    return ratio;
  }

  #looks(coefficient: number): readonly Look[] {
    return looks(FIRST_LOOK, this.maxRuns, coefficient);
  }
}

/**
 * The boundary of a session that was continued with more runs. Up to the former maximum it is the former boundary. The looks after it
 * have a share of the error rate that nothing has spent: each extension spends half of what is left, so the sum of any number of them
 * stays below the error rate, whatever led to them. The boundary takes into account that a path has not crossed the former one.
 *
 * Source: K. K. G. Lan and D. L. DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70 (1983): a boundary spends
 * an error rate look by look, whose number and times need not be known before.
 */
class ExtendedBoundary extends SequentialBoundary {
  readonly #former: SequentialBoundary;
  /** What this extension spends, in levels. */
  readonly #share: number;
  readonly #logRatios = new Map<number, number>();

  constructor(maxRuns: number, former: SequentialBoundary, share: number) {
    super(maxRuns);
    this.#former = former;
    this.#share = share;
  }

  override nominalP(level: number, runs: number): number {
    if (runs <= this.#former.maxRuns) return this.#former.nominalP(level, runs);
    return (this.#coefficientFor(level) * runs) / this.maxRuns;
  }

  override levelOf(nominalP: number, runs: number): number {
    if (runs <= this.#former.maxRuns) return this.#former.levelOf(nominalP, runs);
    const coefficient = Math.max(leastLevel, (nominalP * this.maxRuns) / runs);
    if (coefficient >= this.#coefficientFor(mostLevel)) return 1;
    // Each step reduces the error to less than a half, because the ratio changes slowly.
    let level = mostLevel;
    for (let step = 0; step < 40; step++) {
      level = Math.min(mostLevel, (level * coefficient) / this.#coefficientFor(level));
    }
    return level;
  }

  override pathsAt(level: number): Paths {
    return this.#cross(this.#coefficientFor(level), this.#former.pathsAt(level)).paths;
  }

  #coefficientFor(level: number): number {
    const within = Math.min(mostLevel, level);
    return within * Math.exp(interpolated(within, (index) => this.#logRatio(index)));
  }

  /** The coefficient with which the looks of the extension cross with their share, per level. */
  #logRatio(index: number): number {
    const known = this.#logRatios.get(index);
    if (known !== undefined) return known;
    const level = 10 ** (index / levelsADecade);
    const paths = this.#former.pathsAt(level);
    const wanted = this.#share * level;
    // Secants of the logarithms. The probability grows with a power of the coefficient: about 1 for many looks, and more for few.
    let coefficient = wanted;
    let probability = this.#cross(coefficient, paths).probability;
    let power = 1;
    for (let step = 0; step < 50 && Math.abs(probability / wanted - 1) > 1e-3; step++) {
      const change = (wanted / probability) ** (1 / power);
      const next = this.#cross(coefficient * change, paths).probability;
      power = Math.min(30, Math.max(0.3, Math.log(next / probability) / Math.log(change)));
      coefficient *= change;
      probability = next;
    }
    const ratio = Math.log(coefficient / level);
    this.#logRatios.set(index, ratio);
    return ratio;
  }

  #cross(coefficient: number, paths: Paths) {
    return crossing(looks(this.#former.maxRuns + 1, this.maxRuns, coefficient), paths);
  }
}

/** Looks after each run, whose p-value grows in proportion to the runs. */
function looks(from: number, to: number, coefficient: number): readonly Look[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const runs = from + index;
    return { runs, nominalP: Math.min(mostNominalP, (coefficient * runs) / to) };
  });
}

/** @param value of an index: of the level 10^(index / levelsADecade) */
function interpolated(level: number, value: (index: number) => number): number {
  const place = Math.log10(level) * levelsADecade;
  const below = Math.floor(place);
  const share = place - below;
  return (1 - share) * value(below) + share * value(below + 1);
}

/** Below this level the probability is not computed, only bounded. */
const leastLevel = 1e-15;

/** An extension has the boundary of this level for larger ones. */
const mostLevel = 0.2;

/** A boundary at p = 1 would leave no path. Valid error rates are far below. */
const mostNominalP = 0.999;

const boundaries = new Map<string, SequentialBoundary>();
