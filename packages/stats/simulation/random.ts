import { randomNormal } from 'd3-random';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Random numbers that come out the same every time. */
export interface Random {
  /** At least 0 and below 1. */
  uniform(): number;
  /** Standard normal. */
  normal(): number;
}

/** Streams of random numbers that never meet: each begins 2^64 numbers behind the one before. */
export function* randomStreams(seed: number): Generator<Random, never> {
  const next = xoroshiro128plus(seed);
  for (;;) {
    const generator = next.clone();
    const uniform = () => uniformFloat64(generator);
    yield { uniform, normal: randomNormal.source(uniform)() };
    next.jump();
  }
}
