import type { RatePair } from '@bench-cli/results';
import { meanOf, varianceOf } from '../moments.ts';
import { CONSTANT_BELOW, testOf } from '../welch.ts';

export interface PairEstimate {
  readonly runs: number;
  /** The mean of log(new / old): 0.01 is about 1 % faster. */
  readonly logRatio: number;
  readonly standardError: number;
  /** Degrees of freedom of the standard error. */
  readonly df: number;
}

/**
 * Estimates the ratio of two rates from pairs of runs: a paired t-test of their logarithms. Effects that both
 * runs of a pair share (a drift, a busy neighbour, the noise of processes in turns) cancel in their ratio. If
 * one run is slow where the other is fast, the differences vary more.
 * The method assumes independent and about normal differences of logarithms. Because of the logarithms,
 * swapping the subjects only changes the sign of the estimate.
 * Source: Student, "The probable error of a mean", Biometrika 6 (1908); R's `t.test(log(new), log(old),
 * paired = TRUE)`.
 * @param pairs runs at the same index, which were measured one after the other
 * @returns null with fewer than two pairs, or if a rate is 0, which has no logarithm
 */
export function estimatePairs(pairs: RatePair): PairEstimate | null {
  const differences = logRatios(pairs);
  const runs = differences.length;
  const logRatio = meanOf(differences);
  if (runs < 2 || !Number.isFinite(logRatio)) return null;
  const standardError = Math.sqrt(varianceOf(differences) / runs);
  const sizes = [pairs.old, pairs.new].flatMap((rates) =>
    Array.from(rates, (rate) => Math.abs(Math.log(rate))),
  );
  const size = Math.max(1, ...sizes);
  if (standardError > CONSTANT_BELOW * size) return { runs, logRatio, standardError, df: runs - 1 };
  const isEqual = Math.abs(logRatio) <= CONSTANT_BELOW * size;
  return { runs, logRatio: isEqual ? 0 : logRatio, standardError: 0, df: runs - 1 };
}

/** The logarithms of new / old of all pairs. A run without a partner is left out. */
export function logRatios({ old, new: new_ }: RatePair): readonly number[] {
  const runs = Math.min(old.length, new_.length);
  return Array.from({ length: runs }, (_, at) => Math.log(new_[at] ?? 0) - Math.log(old[at] ?? 0));
}

export function pairP({ logRatio, standardError, df }: PairEstimate): number {
  return testOf(logRatio, standardError, df).p;
}
