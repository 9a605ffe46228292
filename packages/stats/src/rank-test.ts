import type { RatePair } from '@bench-cli/results';
import { cumulative, sumOf } from './moments.ts';
import { remembered } from './remembered.ts';
import { twoSidedNormalP } from './tail.ts';

/** The ranks of values, from 1. Equal values share the mean of their ranks. */
export function midranks(values: readonly number[]) {
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const ranks = new Float64Array(values.length);
  /** The sizes of the groups of equal values. */
  const tieSizes: number[] = [];
  for (let start = 0; start < order.length; ) {
    const value = values[order[start] ?? 0];
    let end = start + 1;
    while (end < order.length && values[order[end] ?? 0] === value) end++;
    for (const index of order.slice(start, end)) ranks[index] = (start + 1 + end) / 2;
    if (end - start > 1) tieSizes.push(end - start);
    start = end;
  }
  return { ranks, tieSizes };
}

function rankSum({ old, new: new_ }: RatePair) {
  const { ranks, tieSizes } = midranks([...Array.from(new_), ...Array.from(old)]);
  const runs = ranks.length;
  const pairs = old.length * new_.length;
  const sum = ranks.subarray(0, new_.length).reduce((total, rank) => total + rank, 0);
  // The sum of t^3 - t over the ties reduces the variance.
  const ties = tieSizes.reduce((total, size) => total + size ** 3 - size, 0);
  return {
    runs,
    pairs,
    tieSizes,
    /** R's `W` with the new sample first: the pairs in which the new run is faster; ties count half. */
    w: sum - (new_.length * (new_.length + 1)) / 2,
    variance: (pairs / 12) * (runs + 1 - ties / (runs * (runs - 1))),
  };
}

export interface RankTest {
  /** Two-sided. */
  readonly p: number;
  /** Probability that a new run is faster than an old one; ties count half. */
  readonly superiority: number;
}

/** R's `wilcox.test` uses the normal approximation from this number of runs of a subject. */
const APPROXIMATE_FROM = 50;

/**
 * The two-sided Mann-Whitney test (Wilcoxon's rank sum test) with R's defaults: exact without ties and below
 * 50 runs of each subject, otherwise the normal approximation with corrections for ties and for continuity.
 * The method assumes independent runs, and nothing about the distribution of the rates. It tests whether runs
 * of one subject tend to be faster, which differs from a higher mean.
 * Source: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically
 * larger than the other", Ann. Math. Stat. 18 (1947); R's src/library/stats/R/wilcox.test.R.
 * @returns null if a subject has no run
 */
export function mannWhitneyTest(samples: RatePair): RankTest | null {
  const nOld = samples.old.length;
  const nNew = samples.new.length;
  if (nOld === 0 || nNew === 0) return null;
  const { w, pairs, variance, tieSizes } = rankSum(samples);
  const superiority = w / pairs;
  if (tieSizes.length === 0 && nOld < APPROXIMATE_FROM && nNew < APPROXIMATE_FROM) {
    // The probability of at most this W if both samples have one distribution.
    const upTo = distributionOf(Math.min(nOld, nNew))(Math.max(nOld, nNew))[Math.min(w, pairs - w)] ?? 1;
    return { p: Math.min(1, 2 * upTo), superiority };
  }
  const distance = w - pairs / 2;
  const z = (distance - Math.sign(distance) * 0.5) / Math.sqrt(variance);
  // The variance is 0 if all rates are equal. R returns NaN.
  return { p: variance > 0 ? twoSidedNormalP(z) : 1, superiority };
}

/** Cached, because the cases of a session usually have the same numbers of runs. */
const distributionOf = remembered((m: number) => remembered((n: number) => cumulativeProbabilities(m, n)));

/** The cumulative distribution of W by the number of choices of m from m + n ranks for each W. */
function cumulativeProbabilities(m: number, n: number): Float64Array {
  const size = m * n + 1;
  // counts[k][w]: the number of subsets of k of the first elements with the statistic w.
  const counts = Array.from({ length: m + 1 }, () => new Float64Array(size));
  counts[0]?.fill(1, 0, 1);
  for (let element = 1; element <= m + n; element++) {
    for (let k = Math.min(element, m); k >= 1; k--) {
      const into = counts[k];
      const from = counts[k - 1];
      const shift = element - k;
      if (into === undefined || from === undefined || shift > n) continue;
      for (let w = size - 1; w >= shift; w--) into[w] = (into[w] ?? 0) + (from[w - shift] ?? 0);
    }
  }
  const ways = counts[m] ?? new Float64Array(size);
  const total = ways.reduce((sum, count) => sum + count, 0);
  return cumulative(ways).map((count) => count / total);
}

/**
 * The two-sided rank test of samples in several strata. Runs are ranked within each stratum. The weight of a
 * rank sum is 1 / (runs + 1), which is optimal if all strata have the same difference. `superiority` compares
 * only runs of the same stratum. Normal approximation with a correction for ties, without one for continuity.
 * The method assumes independent runs, and nothing about the distribution of the rates.
 * Source: P. H. van Elteren, "On the combination of independent two-sample tests of Wilcoxon", Bull. Int.
 * Stat. Inst. 37 (1960).
 * @param samples of each stratum, both with runs
 * @returns null without a stratum
 */
export function vanElterenTest(samples: readonly RatePair[]): RankTest | null {
  const strata = samples.map(rankSum);
  if (strata.length === 0) return null;
  const sum = (term: (stratum: ReturnType<typeof rankSum>) => number) => sumOf(strata, term);
  const distance = sum(({ w, pairs, runs }) => (w - pairs / 2) / (runs + 1));
  const variance = sum((it) => it.variance / (it.runs + 1) ** 2);
  return {
    // The variance is 0 if all rates of each stratum are equal.
    p: variance > 0 ? twoSidedNormalP(distance / Math.sqrt(variance)) : 1,
    superiority: sum(({ w, runs }) => w / (runs + 1)) / sum(({ pairs, runs }) => pairs / (runs + 1)),
  };
}

/**
 * The two-sided p-value of Wilcoxon's signed rank test of pairs; 1 if the pairs differ in the other
 * direction. Exact for any number of pairs, also with ties. Pairs without a difference do not count.
 * The method assumes independent pairs whose differences are symmetric about 0, as with two exchangeable
 * runs. It also holds while the machine drifts, because drift affects both runs of a pair.
 * Source: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945); without
 * ties equal to R's `wilcox.test(differences)`.
 * @param sign the tested direction of the differences
 */
export function signedRankP(differences: readonly number[], sign: number): number {
  const nonzero = differences.filter((difference) => difference !== 0);
  const { ranks, tieSizes } = midranks(nonzero.map(Math.abs));
  // Doubled ranks are integers: ranks of ties can end in .5.
  const doubled = Array.from(ranks, (rank) => 2 * rank);
  const against = doubled.reduce((sum, rank, at) => sum + ((nonzero[at] ?? 0) * sign < 0 ? rank : 0), 0);
  const upTo = tieSizes.length === 0 ? withoutTies(doubled.length) : probabilitiesOfSigns(doubled);
  return Math.min(1, 2 * (upTo[against] ?? 1));
}

/** Without ties, the distribution only depends on the number of pairs. */
const withoutTies = remembered((pairs: number) =>
  probabilitiesOfSigns(Array.from({ length: pairs }, (_, at) => 2 * (at + 1))),
);

/** The cumulative probability of each sum of ranks, if both signs of a pair are equally likely. */
function probabilitiesOfSigns(ranks: readonly number[]): Float64Array {
  const total = ranks.reduce((sum, rank) => sum + rank, 0);
  const probabilities = new Float64Array(total + 1).fill(1, 0, 1);
  for (const rank of ranks) {
    for (let sum = total; sum >= 0; sum--) {
      const without = probabilities[sum] ?? 0;
      probabilities[sum] = (without + (sum >= rank ? (probabilities[sum - rank] ?? 0) : 0)) / 2;
    }
  }
  return cumulative(probabilities);
}
