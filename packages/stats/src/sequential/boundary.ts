import { crossingProbability, type Look } from './crossing.ts';

/**
 * The number of runs of each subject at the first look. With fewer, no p-value that a permutation of the runs supports is small
 * enough for a verdict (`permutationFloor`), and all runs may have drawn the same mode of several.
 */
export const FIRST_LOOK = 5;

/** Levels per decade at which the crossing probability is computed; it is interpolated between them. */
const levelsADecade = 3;

/**
 * The p-value that is needed after each run, so that the probability of a wrong result over all looks stays at the chosen
 * level, although there is a look after every run. The nominal p-value, which is that of a usual test, crosses the boundary
 * after n of at most N runs if it is at most level × n / N. Early looks need strong evidence, and the last look counts almost
 * in full.
 *
 * The boundaries of all levels have the same shape. The smallest p × N / n over all looks therefore measures the evidence so
 * far, and its distribution without a difference gives a p-value that is valid at any time.
 *
 * It assumes estimates with independent and about normal increments; see `crossingProbability` for the method.
 * Source: C. Jennison and B. W. Turnbull, "Group Sequential Methods" (2000): chapter 2 on boundaries, 8.4 on p-values
 * from nested boundaries. The level grows in proportion to the runs; of its powers, this one did best in the simulation
 * (`pnpm bench:verdicts`).
 */
export class SequentialBoundary {
  /** The maximum number of runs of each subject. */
  readonly maxRuns: number;
  readonly #logRatios = new Map<number, number>();
  readonly #levels = new Map<number, number>();

  private constructor(maxRuns: number) {
    this.maxRuns = maxRuns;
  }

  /**
   * The boundary for a maximum number of runs. It is computed once.
   * @param maxRuns runs of each subject, a whole number, at least `FIRST_LOOK`
   */
  static for(maxRuns: number): SequentialBoundary {
    if (!Number.isInteger(maxRuns) || maxRuns < FIRST_LOOK) {
      throw new RangeError(`a sequential comparison needs at least ${FIRST_LOOK} runs, not ${maxRuns}`);
    }
    const known = boundaries.get(maxRuns) ?? new SequentialBoundary(maxRuns);
    boundaries.set(maxRuns, known);
    return known;
  }

  /** The nominal p-value of the boundary after a number of runs, for the probability `error` over all looks. */
  nominalP(error: number, runs: number): number {
    return (this.#levelFor(error) * runs) / this.maxRuns;
  }

  /** A nominal p-value weighted by its look; the smallest over all looks measures the evidence. */
  weightedP(nominalP: number, runs: number): number {
    return (nominalP * this.maxRuns) / runs;
  }

  /** The probability that the smallest weighted p-value reaches this value without a difference. */
  errorOf(weightedP: number): number {
    if (weightedP <= leastLevel) return weightedP;
    if (weightedP >= 1) return 1;
    const place = Math.log10(weightedP) * levelsADecade;
    const below = Math.floor(place);
    const share = place - below;
    // The ratio of the probability and the level changes slowly with the level.
    const ratio = (1 - share) * this.#logRatio(below) + share * this.#logRatio(below + 1);
    return Math.min(1, weightedP * Math.exp(ratio));
  }

  #levelFor(error: number): number {
    const known = this.#levels.get(error);
    if (known !== undefined) return known;
    let low = error / this.maxRuns;
    let high = error;
    for (let halving = 0; halving < 40; halving++) {
      const middle = Math.sqrt(low * high);
      if (this.errorOf(middle) > error) high = middle;
      else low = middle;
    }
    this.#levels.set(error, low);
    return low;
  }

  #logRatio(index: number): number {
    const known = this.#logRatios.get(index);
    if (known !== undefined) return known;
    const level = 10 ** (index / levelsADecade);
    const ratio = Math.log(crossingProbability(this.#looks(level)) / level);
    this.#logRatios.set(index, ratio);
    return ratio;
  }

  #looks(level: number): readonly Look[] {
    return Array.from({ length: this.maxRuns - FIRST_LOOK + 1 }, (_, index) => {
      const runs = FIRST_LOOK + index;
      return { runs, nominalP: Math.min(mostNominalP, (level * runs) / this.maxRuns) };
    });
  }
}

/** Below this level the probability is not computed, only bounded. */
const leastLevel = 1e-15;

/** A boundary at p = 1 would leave no path. Valid error rates are far below. */
const mostNominalP = 0.999;

const boundaries = new Map<number, SequentialBoundary>();
