import type { RatePair, SubjectRole } from '@bench-cli/results';
import { meanOf, sumOf } from './moments.ts';

/** The rates of both subjects in each round in which both have one; empty if the rounds are unknown. */
export function roundPairs({ old, new: new_, rounds }: RatePair): readonly Record<SubjectRole, number>[] {
  if (rounds === undefined) return [];
  const oldRates = new Map(rounds.old.map((round, at) => [round, old[at] ?? 0]));
  return rounds.new.flatMap((round, at) => {
    const before = oldRates.get(round);
    return before === undefined ? [] : { old: before, new: new_[at] ?? 0 };
  });
}

/** Whether all rounds took turns and each run has a partner, so that a paired test applies. */
export function isPaired(sample: RatePair): boolean {
  const { length } = roundPairs(sample);
  return sample.inTurns === true && length === sample.old.length && length === sample.new.length;
}

/**
 * The part of the squared standard error of the difference of means that the runs of a round share: 2 ×
 * covariance × rounds / (old runs × new runs). It is negative if one subject is fast where the other is slow,
 * as on two alternating CPUs of different speed.
 */
export function sharedError(samples: RatePair): number {
  const pairs = roundPairs(samples);
  if (pairs.length < 2) return 0;
  const oldMean = meanOf(pairs.map(({ old }) => old));
  const newMean = meanOf(pairs.map((pair) => pair.new));
  const products = sumOf(pairs, (pair) => (pair.old - oldMean) * (pair.new - newMean));
  const covariance = products / (pairs.length - 1);
  return (2 * covariance * pairs.length) / (samples.old.length * samples.new.length);
}

/** The growth of the squared error of a difference if one subject is slow where the other is fast. */
export function chargeOf(shared: number, errors: number): number {
  return errors > 0 ? 1 + Math.max(0, -shared) / errors : 1;
}
