import type { RatePair, SubjectRole } from '@bench-cli/results';
import { meanOf, sumOf } from './moments.ts';
import type { SquaredError } from './welch.ts';

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

/** The squared error of a mean, with the charge of `chargeOf`. */
export function charged({ value, df }: SquaredError, charge: number): SquaredError {
  return { value: charge * value, df: chargedDf(df, charge) };
}

/**
 * The degrees of freedom with a charge: fewer, down to half, which are those of a paired test, because the
 * covariance is an estimate, too. With `df / charge`, one test in 18 of equal means found a difference at a
 * correlation of -0.5, and with these one in 20 (20,000 simulated tests each of 6 to 30 pairs).
 */
export function chargedDf(df: number, charge: number): number {
  return Math.max(df / 2, df / charge ** 2);
}

/** The growth of the squared error of a difference if one subject is slow where the other is fast. */
export function chargeOf(shared: number, errors: number): number {
  return errors > 0 ? 1 + Math.max(0, -shared) / errors : 1;
}
