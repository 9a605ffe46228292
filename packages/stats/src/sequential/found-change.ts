import { drawn } from '@bench-cli/results';
import { DEFAULT_MARGIN } from '../fixed-evidence.ts';
import { meanOf, sumOf } from '../moments.ts';
import { criticalZ } from '../tail.ts';
import { FIRST_LOOK } from './boundary.ts';
import { SequentialFamily } from './sequential-family.ts';

const SESSIONS = 100;
const POWER = 0.8;
/** The largest change, in standard deviations of a pair. */
const MOST_DEVIATIONS = 20;

/**
 * Simulates adaptive sessions by their own rule, which also gives up and finds no difference. Method:
 * bisection of the change that the sessions find. All simulations draw the same normal deviates. Each session
 * has the noise of one of the recorded ones. A deviation that is known from few pairs may be larger or
 * smaller, so it is drawn, as it is distributed given those pairs if no deviation is more likely beforehand
 * (scaled inverse chi). Source: A. Gelman and others, "Bayesian Data Analysis" (2013), section 3.2.
 * @param noises of recorded sessions, at least one: the standard deviation of the logarithm of the ratio of a
 * pair, and from how many pairs it is known
 * @param mostPairs that the time limit of a session has room for; the boundary is that of sessions without
 * one
 * @param size the number of cases of a session, for the correction
 * @returns the smallest change that 80 % of the sessions find, a fraction of the time, infinite if they find
 * none; and the mean number of pairs without a change
 */
export function expectedSessions(
  noises: readonly { readonly deviation: number; readonly knownPairs: number }[],
  mostPairs: number,
  size: number,
) {
  if (mostPairs < FIRST_LOOK) return { change: Number.POSITIVE_INFINITY, pairs: mostPairs };
  const deviations = Array.from({ length: SESSIONS }, (_, seed) => {
    const { deviation = 0, knownPairs = 2 } = noises[seed % noises.length] ?? {};
    // Their places in the stream are not those of pairs.
    const squares = Array.from({ length: knownPairs - 1 }, (_, at) => criticalZ(2 * drawn(seed, ~at)) ** 2);
    return deviation * Math.sqrt(squares.length / sumOf(squares, (square) => square));
  });
  const simulate = (change: number) =>
    deviations.map((ofSession, seed) => {
      const family = new SequentialFamily({}, size);
      let runs = 0;
      while (runs < mostPairs && family.isOpen('')) {
        const deviate = criticalZ(2 * drawn(seed, runs));
        family.add('', 1, Math.exp(ofSession * deviate - change));
        if (++runs >= FIRST_LOOK) family.judge();
      }
      return { runs, isFound: family.judgement('').verdict === 'lower' };
    });
  const pairs = meanOf(simulate(0).map(({ runs }) => runs));
  const isEnough = (change: number) => meanOf(simulate(change).map(({ isFound }) => +isFound)) >= POWER;
  const most = Math.max(...noises.map(({ deviation }) => deviation));
  let [low, high] = [0, Math.log1p(DEFAULT_MARGIN) + MOST_DEVIATIONS * most];
  if (!isEnough(high)) return { change: Number.POSITIVE_INFINITY, pairs };
  for (let halving = 0; halving < 10; halving++) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return { change: Math.expm1(high), pairs };
}
