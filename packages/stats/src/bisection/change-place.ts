import { sumOf } from '../moments.ts';
import { type RatioInterval, ratioOfLog } from '../ratio.ts';
import { criticalT } from '../tail.ts';
import { CONSTANT_BELOW } from '../welch.ts';

/**
 * The place of a change in a list of versions. The log ratios to the good end are 0 before the change and
 * have another level from it on, apart from noise. The level and the noise are unknown.
 * Method: the posterior probability of each place. All places are equally likely at first, and the level and
 * the noise are integrated out, so that their uncertainty counts. The method assumes normal log ratios with
 * the same noise for all versions. The probabilities are valid at any time, because they depend on the runs
 * and not on the rule that chose the runs.
 * Source: A. F. M. Smith, "A Bayesian approach to inference about a change-point in a sequence of random
 * variables", Biometrika 62 (1975).
 */
export class ChangePlace {
  readonly #samples: readonly Sample[];

  /** @param size the number of versions; the change is not after the last of them */
  constructor(size: number) {
    this.#samples = Array.from({ length: size }, () => ({ runs: 0, mean: 0, squares: 0 }));
  }

  add(version: number, logRatio: number): void {
    const sample = this.#sample(version);
    const distance = logRatio - sample.mean;
    sample.runs++;
    sample.mean += distance / sample.runs;
    sample.squares += distance * (logRatio - sample.mean);
  }

  runs(version: number): number {
    return this.#sample(version).runs;
  }

  /** For each version, the probability that it is the first one after the change. */
  probabilities(): readonly number[] {
    const samples = this.#samples;
    const total = sumOf(samples, ({ runs }) => runs);
    const squares = sumOf(samples, (sample) => sample.squares + sample.runs * sample.mean ** 2);
    let runs = 0;
    let sum = 0;
    const logs = samples.toReversed().map((sample) => {
      runs += sample.runs;
      sum += sample.runs * sample.mean;
      // The residual around 0 before the change, and around the mean after it.
      const residual = squares - sum ** 2 / runs;
      // A smaller residual is a rounding error.
      return -(Math.log(runs) + (total - 1) * Math.log(Math.max(residual, CONSTANT_BELOW * squares))) / 2;
    });
    const largest = Math.max(...logs);
    const weights = logs.map((log) => Math.exp(log - largest)).reverse();
    const weight = sumOf(weights, (each) => each);
    return weights.map((each) => each / weight);
  }

  /**
   * The ratio of a version to the good end, with an interval by Student's t. All versions contribute to the
   * noise.
   * @returns null without a run of the version, or with too few runs to know the noise
   */
  ratio(version: number, risk: number): RatioInterval | null {
    const { runs, mean } = this.#sample(version);
    const measured = this.#samples.filter((sample) => sample.runs > 0);
    const df = sumOf(measured, (sample) => sample.runs - 1);
    if (runs === 0 || df === 0) return null;
    const variance = sumOf(measured, ({ squares }) => squares) / df;
    const half = criticalT(risk, df) * Math.sqrt(variance / runs);
    return ratioOfLog(mean, half);
  }

  #sample(version: number): Sample {
    const sample = this.#samples[version];
    if (sample === undefined) throw new RangeError(`there is no version ${version}`);
    return sample;
  }
}

interface Sample {
  runs: number;
  mean: number;
  /** The sum of the squared deviations from the mean. */
  squares: number;
}
