import { crossingProbability, type Look } from './crossing.ts';

/** The fewest runs of each subject after which anything is decided. */
export const FIRST_LOOK = 3;

/** Levels at which the crossing probability is computed, a decade; between them it is interpolated. */
const levelsADecade = 3;

/**
 * How small a p-value must be after how many runs, so that the chance of ever being wrong stays what it is meant to be
 * although the data are looked at after every run. The p-value of a usual test, the nominal one, crosses the boundary
 * after n of at most N runs when it is at most level × n / N: early looks must be convincing, the last counts in full.
 *
 * Because the boundaries of all levels have one shape, the smallest p × N / n so far says how strong the evidence is
 * over all looks: its distribution without a difference turns it into a p-value that may be read at any time.
 *
 * Assumes estimates whose steps are independent and about normal; `crossingProbability` has the method.
 * Source: C. Jennison and B. W. Turnbull, "Group Sequential Methods" (2000): chapter 2 on boundaries, 8.4 on p-values
 * from boundaries that are nested. That the level grows in proportion to the runs was chosen by simulation among its
 * powers (`scripts/verdicts`).
 */
export class SequentialBoundary {
  /** The most runs of each subject. */
  readonly maxRuns: number;
  readonly #logRatios = new Map<number, number>();
  readonly #levels = new Map<number, number>();

  private constructor(maxRuns: number) {
    this.maxRuns = maxRuns;
  }

  /**
   * The boundary for so many runs; what it has computed is kept for whoever asks next.
   * @param maxRuns the most runs of each subject, a whole number, at least `FIRST_LOOK`
   */
  static for(maxRuns: number): SequentialBoundary {
    if (!Number.isInteger(maxRuns) || maxRuns < FIRST_LOOK) {
      throw new RangeError(`a sequential comparison needs at least ${FIRST_LOOK} runs, not ${maxRuns}`);
    }
    const known = boundaries.get(maxRuns) ?? new SequentialBoundary(maxRuns);
    boundaries.set(maxRuns, known);
    return known;
  }

  /** The nominal p-value that counts after so many runs, for a chance of `error` over all looks. */
  nominalP(error: number, runs: number): number {
    return (this.#levelFor(error) * runs) / this.maxRuns;
  }

  /** A nominal p-value, weighted by when it was found; the smallest over all looks is the evidence. */
  weightedP(nominalP: number, runs: number): number {
    return (nominalP * this.maxRuns) / runs;
  }

  /** The chance that the smallest weighted p-value ever gets so small when there is no difference. */
  errorOf(weightedP: number): number {
    if (weightedP <= leastLevel) return weightedP;
    if (weightedP >= 1) return 1;
    const place = Math.log10(weightedP) * levelsADecade;
    const below = Math.floor(place);
    const share = place - below;
    // How many times the level the chance is changes slowly with the level.
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

/** Below this level nobody can tell a chance from none. */
const leastLevel = 1e-15;

/** A boundary at p = 1 would leave no path; no error rate that makes sense comes near to it. */
const mostNominalP = 0.999;

const boundaries = new Map<number, SequentialBoundary>();
