import { randomNormal } from 'd3-random';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Reproducible random numbers. */
export interface Random {
  /** At least 0 and below 1. */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
}

/** Streams of random numbers that do not overlap: each starts 2^64 numbers after the one before. */
export function* randomStreams(seed: number): Generator<Random, never> {
  const next = xoroshiro128plus(seed);
  for (;;) {
    const generator = next.clone();
    const uniform = () => uniformFloat64(generator);
    yield { uniform, normal: randomNormal.source(uniform)() };
    next.jump();
  }
}

export function between(random: Random, low: number, high: number): number {
  return low + (high - low) * random.uniform();
}
