import { exchangeable, type Noise } from './noise.ts';

/** Modes of the rate, one of which each process draws at its start, as with a JIT compiler. All are equally likely. */
export interface Lottery {
  readonly modes: number;
  /** The distance of neighbouring modes, a fraction of the rate. */
  readonly gap: number;
  /** Standard deviation of the rate within a mode, as a fraction of the rate. */
  readonly width: number;
}

/** The noise of a lottery, with the standard deviation of its runs over all modes. */
export function lotteryNoise({ modes, gap, width }: Lottery): {
  readonly noise: Noise;
  readonly deviation: number;
} {
  const deviation = Math.sqrt(((modes ** 2 - 1) / 12) * gap ** 2 + width ** 2);
  const name = `${modes} modes ${gap * 100} % apart, within ${width * 100} %`;
  return {
    deviation,
    noise: exchangeable(name, (random) => {
      const mode = Math.floor(random.uniform() * modes) - (modes - 1) / 2;
      return (mode * gap + width * random.normal()) / deviation;
    }),
  };
}
