import type { Noise, Pairs } from './noise.ts';
import type { Random } from './random.ts';
import recorded from './recorded-pairs.json' with { type: 'json' };

/** The number of rounds that are drawn together, on average, so that what lasts for some rounds remains. */
const blockLength = 4;

/** How much the recorded runs vary: the standard deviation, a fraction of the rate. */
export const recordedDeviation = 0.2;

/**
 * Runs of real benchmarks: logarithms of rates of 30 configurations of Node core's suite, in 24 rounds of two equal subjects
 * (Node.js 26.10), without their mean. They were measured on two shared virtual CPUs with a load average of 13 to 30, and vary by 13 to
 * 33 %. Each comparison draws from one configuration.
 *
 * Method: stationary bootstrap of pairs, blocks of rounds with geometric lengths. The subjects are swapped at random, as they have
 * equal code, so that the true difference is 0. Some of what disturbs lasts for several rounds.
 * Source: D. N. Politis and J. P. Romano, "The stationary bootstrap", J. Am. Stat. Assoc. 89 (1994).
 */
export const recordedNoise: Noise = {
  name: 'recorded',
  isPromised: true,
  draw: (random, pairs, deviation) => {
    const sample = standardized(pick(recorded, random));
    const drawn = { old: new Float64Array(pairs), new: new Float64Array(pairs) };
    let place = 0;
    for (let pair = 0; pair < pairs; pair++) {
      const isFresh = pair === 0 || random.uniform() < 1 / blockLength;
      place = isFresh ? Math.floor(random.uniform() * sample.old.length) : (place + 1) % sample.old.length;
      const isSwapped = random.uniform() < 0.5;
      drawn.old[pair] = deviation * ((isSwapped ? sample.new : sample.old)[place] ?? 0);
      drawn.new[pair] = deviation * ((isSwapped ? sample.old : sample.new)[place] ?? 0);
    }
    return drawn;
  },
};

function pick<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random.uniform() * items.length)];
  if (item === undefined) throw new RangeError('there is no recording');
  return item;
}

function standardized({ old, new: new_ }: (typeof recorded)[number]): Pairs {
  const values = [...old, ...new_];
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.sqrt(squares / (values.length - 1));
  const standard = (value: number) => (value - mean) / deviation;
  return { old: Float64Array.from(old, standard), new: Float64Array.from(new_, standard) };
}
