import { randomStreams, type Random as Uniform } from '../../packages/stats/simulation/random.ts';

/** Random choices that depend only on a seed. */
export class Random {
  readonly #source: Uniform;

  constructor(seed: number) {
    this.#source = randomStreams(seed).next().value;
  }

  /** At least 0 and below the limit. */
  below(limit: number): number {
    return Math.floor(this.#source.uniform() * limit);
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.below(items.length)] ?? items[0];
  }
}
