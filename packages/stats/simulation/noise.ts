import type { Random } from './random.ts';

/** Rates (operations per second) of pairs of runs. The runs at one index were measured one right after the other. */
export interface Pairs {
  readonly old: Float64Array;
  readonly new: Float64Array;
}

/** How the runs of one program differ. */
export interface Noise {
  readonly name: string;
  /**
   * Whether the runs of a case are independent draws from one distribution, so that their order does not matter. The
   * guarantees are only for such noise.
   */
  readonly isExchangeable: boolean;
  /** Draws disturbances of pairs of runs, with the standard deviation 1. */
  readonly draw: (random: Random, pairs: number) => Pairs;
}

/** The true difference and spread of a case. */
export interface Truth {
  /** The change of the rate, a fraction. */
  readonly effect: number;
  /** Standard deviation of the rate of a run, as a fraction of the rate. */
  readonly deviation: number;
}

/** Measures a case. */
export function measurePairs(
  noise: Noise,
  { effect, deviation }: Truth,
  random: Random,
  pairs: number,
): Pairs {
  const drawn = noise.draw(random, pairs);
  const gain = Math.log1p(effect);
  return {
    old: drawn.old.map((disturbance) => Math.exp(deviation * disturbance)),
    new: drawn.new.map((disturbance) => Math.exp(gain + deviation * disturbance)),
  };
}

/** Runs that do not depend on each other. */
export function exchangeable(name: string, deviate: (random: Random) => number): Noise {
  return {
    name,
    isExchangeable: true,
    draw: (random, pairs) => ({
      old: Float64Array.from({ length: pairs }, () => deviate(random)),
      new: Float64Array.from({ length: pairs }, () => deviate(random)),
    }),
  };
}

const sigma = 0.8;
const lognormalMean = Math.exp(sigma ** 2 / 2);
const lognormalDeviation = lognormalMean * Math.sqrt(Math.exp(sigma ** 2) - 1);

/** Most runs are about equally fast, some are slow, and few are very slow. */
function skewed(random: Random): number {
  return (lognormalMean - Math.exp(sigma * random.normal())) / lognormalDeviation;
}

/** Student's t with three degrees of freedom: outliers in both directions. */
function heavyTailed(random: Random): number {
  const squares = random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2;
  return random.normal() / Math.sqrt(squares);
}

const slowShare = 0.3;
const modeDeviation = 0.3;
const modeDistance = Math.sqrt((1 - modeDeviation ** 2) / (slowShare * (1 - slowShare)));

/** Three of ten runs have a slower process than the others. */
function bimodal(random: Random): number {
  const mode = random.uniform() < slowShare ? slowShare - 1 : slowShare;
  return mode * modeDistance + modeDeviation * random.normal();
}

/** How far the machine drifts from pair to pair, in standard deviations of a run. */
const drift = 0.5;

/** The machine drifts so slowly that both runs of a pair have the same disturbance. */
function drawDrifting(random: Random, pairs: number): Pairs {
  const drawn = { old: new Float64Array(pairs), new: new Float64Array(pairs) };
  let place = 0;
  for (let pair = 0; pair < pairs; pair++) {
    place += drift * random.normal();
    drawn.old[pair] = place + random.normal();
    drawn.new[pair] = place + random.normal();
  }
  return drawn;
}

/** Each run is correlated with the run before it. The order of the subjects alternates from pair to pair. */
function autocorrelated(correlation: number): Noise {
  const fresh = Math.sqrt(1 - correlation ** 2);
  return {
    name: `autocorrelated ${correlation}`,
    isExchangeable: false,
    draw: (random, pairs) => {
      const drawn = { old: new Float64Array(pairs), new: new Float64Array(pairs) };
      let place = random.normal();
      for (let pair = 0; pair < pairs; pair++) {
        const [first, second] = pair % 2 === 0 ? [drawn.old, drawn.new] : [drawn.new, drawn.old];
        place = correlation * place + fresh * random.normal();
        first[pair] = place;
        place = correlation * place + fresh * random.normal();
        second[pair] = place;
      }
      return drawn;
    },
  };
}

/** Each run is correlated with the last run of its subject, and independent of the other subject. */
function autocorrelatedApart(correlation: number): Noise {
  const fresh = Math.sqrt(1 - correlation ** 2);
  const drawSubject = (random: Random, runs: number): Float64Array => {
    let place = random.normal();
    return Float64Array.from({ length: runs }, () => {
      place = correlation * place + fresh * random.normal();
      return place;
    });
  };
  return {
    name: `apart ${correlation}`,
    isExchangeable: false,
    draw: (random, pairs) => ({ old: drawSubject(random, pairs), new: drawSubject(random, pairs) }),
  };
}

export const normalNoise: Noise = exchangeable('normal', (random) => random.normal());

export const noises: readonly Noise[] = [
  normalNoise,
  exchangeable('skewed', skewed),
  exchangeable('heavy-tailed', heavyTailed),
  exchangeable('bimodal', bimodal),
  { name: 'drifting', isExchangeable: false, draw: drawDrifting },
  autocorrelated(0.3),
  autocorrelated(0.6),
  autocorrelated(0.9),
  autocorrelatedApart(0.3),
];
