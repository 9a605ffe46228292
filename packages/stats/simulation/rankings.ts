import type { Sample } from '@bench-cli/results';
import { drawnOrder } from '@bench-cli/results/recording';
import { settings } from '@bench-cli/results/settings';
import { rankParameters } from '../src/ranking.ts';
import { DEFAULT_MAX_RUNS } from '../src/sequential/sequential-family.ts';
import { SequentialPrecision } from '../src/sequential/sequential-precision.ts';
import { type Estimate, shareOf } from './estimate.ts';
import { autocorrelatedRuns, slowEvery } from './noise.ts';
import type { Random } from './random.ts';

/** Disturbances of a machine: deviations of the logarithms of the rates of runs, in the order in which they run. */
export interface Disturbances {
  readonly name: string;
  readonly draw: (random: Random, runs: number) => Float64Array;
}

const DEVIATION = 0.05;

const drawn = (name: string, draw: ReturnType<typeof slowEvery>, deviation = DEVIATION): Disturbances => ({
  name,
  draw: (random, runs) => draw(random, runs, deviation),
});

export const disturbances: readonly Disturbances[] = [
  drawn('independent runs', autocorrelatedRuns(0)),
  drawn('autocorrelation 0.5', autocorrelatedRuns(0.5)),
  drawn('autocorrelation 0.8', autocorrelatedRuns(0.8)),
  {
    name: 'slow episodes of ten runs',
    draw: (random, runs) => {
      let left = 0;
      return Float64Array.from({ length: runs }, () => {
        left = left > 0 ? left - 1 : random.uniform() < 1 / 40 ? 9 : 0;
        return 0.01 * random.normal() + (left > 0 ? Math.log(0.7) : 0);
      });
    },
  },
  ...[2, 3, 4].map((period) => drawn(`every run of ${period} slow`, slowEvery(period), 0.01)),
];

/** A ranking of equal values of a parameter, each measured in as many cases. */
export interface RankedWorld {
  readonly values: number;
  readonly cases: number;
  readonly runs: number | 'auto';
}

export interface RankingResult extends RankedWorld {
  readonly disturbances: Disturbances;
  /** The share of rankings with a certain difference. */
  readonly wrong: Estimate;
}

export function simulateRankings(
  world: RankedWorld,
  of: Disturbances,
  rankings: number,
  random: Random,
): RankingResult {
  let wrong = 0;
  for (let each = 0; each < rankings; each++) {
    const [maxRuns, samples] = measured(world, of, random);
    const pairs = rankParameters(samples, maxRuns).flatMap((ranking) => ranking.pairs);
    if (pairs.some(({ isCertain }) => isCertain)) wrong++;
  }
  return { ...world, disturbances: of, wrong: shareOf(wrong, rankings) };
}

/** Runs over all cases in rounds, whose order is drawn, as a session does. */
function measured({ values, cases, runs }: RankedWorld, { draw }: Disturbances, random: Random) {
  const seed = Math.floor(random.uniform() * 2 ** 32);
  const maxRuns = runs === 'auto' ? DEFAULT_MAX_RUNS : runs;
  const all = Array.from({ length: values * cases }, (_, at) => ({
    benchmark: 'a',
    configuration: { value: `${at % values}`, size: Math.floor(at / values) },
    rates: [] as number[],
    rounds: [] as number[],
  }));
  const logs = draw(random, all.length * maxRuns);
  const precision = new SequentialPrecision({ margin: settings.margin.default.run });
  const keyOf = ({ configuration: { value, size } }: (typeof all)[number]) => `${value} ${size}`;
  let at = 0;
  for (let round = 0; round < maxRuns; round++) {
    const open = runs === 'auto' ? all.filter((each) => precision.isOpen(keyOf(each))) : all;
    for (const each of drawnOrder(open, seed, () => round)) {
      const rate = 1000 * Math.exp(logs[at++] ?? 0);
      each.rates.push(rate);
      each.rounds.push(round);
      if (runs === 'auto') precision.add(keyOf(each), rate, each);
    }
    if (runs === 'auto') precision.judge();
  }
  const samples: readonly Sample[] = all;
  return [runs === 'auto' ? maxRuns : undefined, samples] as const;
}
