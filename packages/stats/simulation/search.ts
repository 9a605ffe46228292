import { subjectOrders } from '@bench-cli/results/recording';
import { caseAt } from './command.ts';
import { type FamilyResult, simulateFamily } from './family.ts';
import type { Noise } from './noise.ts';
import { between, type Random } from './random.ts';

/** Noise that a search has drawn, with its single comparisons by each rule. */
export interface DrawnNoise {
  readonly noise: Noise;
  readonly results: readonly FamilyResult[];
  /** The largest share of equal subjects that any rule calls different. */
  readonly worst: number;
}

/**
 * Searches the noise with which equal subjects are most often called different: each drawn kind is simulated with few comparisons, and the worst of
 * them again with more, because chance makes some of many kinds look bad.
 */
export function searchNoise(kinds: number, comparisons: number, random: Random): readonly DrawnNoise[] {
  const simulated = (noise: Noise, count: number) => {
    const results = simulateFamily({ noise, cases: 1, changed: 0 }, count, random);
    return { noise, results, worst: Math.max(...results.map((it) => it.figures.falseDiscoveries.value)) };
  };
  const byWorst = (list: readonly DrawnNoise[]) => list.toSorted((a, b) => b.worst - a.worst);
  const first = Array.from({ length: kinds }, () => simulated(drawnNoise(random), comparisons / 10));
  return byWorst(
    byWorst(first)
      .slice(0, 10)
      .map(({ noise }) => simulated(noise, comparisons)),
  );
}

/** Exchangeable noise: modes, outliers, what the runs of a pair and neighbouring runs have in common, drifts, steps of a clock, and time limits. */
function drawnNoise(random: Random): Noise {
  const maybe = (value: number) => (random.uniform() < 0.5 ? 0 : value);
  const shape = {
    gap: maybe(between(random, 0.02, 0.3)),
    share: between(random, 0.3, 0.7),
    outliers: maybe(between(random, 0.01, 0.1)),
    within: maybe(between(random, -1, 1)),
    lag: maybe(between(random, -0.7, 0.3)),
    drift: maybe(between(random, 0, 3)),
    step: maybe(between(random, 0.001, 0.05)),
    limit: maybe(between(random, 1, 3)),
  };
  const name = Object.entries(shape)
    .map(([part, value]) => `${part} ${value.toFixed(3)}`)
    .join(', ');
  return { name, isPromised: true, draw: (own, pairs, deviation) => drawPairs(shape, own, pairs, deviation) };
}

type Shape = Readonly<
  Record<'gap' | 'share' | 'outliers' | 'within' | 'lag' | 'drift' | 'step' | 'limit', number>
>;

function drawPairs(shape: Shape, random: Random, pairs: number, deviation: number) {
  const { gap, share, outliers, within, lag, drift, step, limit } = shape;
  const order = subjectOrders(['old', 'new'], Math.floor(random.uniform() * 2 ** 32), caseAt(0));
  const drawn = { old: new Float64Array(pairs), new: new Float64Array(pairs) };
  const run = () =>
    (random.uniform() < share ? Math.log1p(-gap) : 0) +
    (random.uniform() < outliers ? Math.log(0.7) : 0) +
    deviation * random.normal();
  let [place, before] = [0, 0];
  for (let pair = 0; pair < pairs; pair++) {
    place += drift * deviation * random.normal();
    // A positive part that both share, or one that is added to one of them and subtracted from the other.
    const common = Math.abs(within) * (run() - run());
    for (const [at, subject] of order(pair).entries()) {
      const sign = within < 0 && at === 1 ? -1 : 1;
      const own = (1 - Math.abs(within)) * run() + sign * common + lag * before;
      before = own;
      const log = place + own;
      // Ticks of a clock.
      const ticks = step === 0 ? 0 : Math.max(1, Math.round(Math.exp(-log) / step));
      const rate = step === 0 ? log : -Math.log(ticks * step);
      // A run that takes too long fails.
      const isLate = limit !== 0 && own < -limit * (deviation + gap / 2);
      drawn[subject === 'old' ? 'old' : 'new'][pair] = isLate ? Number.NaN : rate;
    }
  }
  return drawn;
}
