import { twoSidedNormalP } from './normal.ts';
import { rankSum } from './rank.ts';

/** The result of a rank test of two samples. */
export interface RankTest {
  /** R's `W` with the new sample first: the number of pairs in which the new run is faster; ties count half. */
  readonly w: number;
  /** Two-sided. */
  readonly p: number;
  /** Probability that a new run is faster than an old one; ties count half: `w / (nOld * nNew)`. */
  readonly superiority: number;
  /**
   * `exact` without ties and with fewer than 50 runs of each subject; otherwise the normal approximation. `van Elteren`
   * for several machines: `w` and `superiority` then compare runs of the same machine only.
   */
  readonly method: 'exact' | 'normal' | 'van Elteren';
}

/** R's `wilcox.test` uses the normal approximation from this number of runs of a subject. */
const APPROXIMATE_FROM = 50;

/**
 * The two-sided Mann-Whitney test (Wilcoxon's rank sum test) with R's defaults: exact without ties and below 50 runs of each
 * subject, otherwise the normal approximation with corrections for ties and for continuity.
 *
 * It assumes independent runs, and nothing about the distribution of the rates. It tests whether runs of one subject tend to
 * be faster, which is not the same as a higher mean.
 * Source: H. B. Mann and D. R. Whitney, "On a test of whether one of two random variables is stochastically larger
 * than the other", Ann. Math. Stat. 18 (1947); R's src/library/stats/R/wilcox.test.R.
 *
 * @returns null if a subject has no run
 */
export function mannWhitneyTest(before: ArrayLike<number>, after: ArrayLike<number>): RankTest | null {
  const nOld = before.length;
  const nNew = after.length;
  if (nOld === 0 || nNew === 0) return null;
  const { w, pairs, variance, tieSizes } = rankSum({ old: before, new: after });
  const superiority = w / pairs;

  if (tieSizes.length === 0 && nOld < APPROXIMATE_FROM && nNew < APPROXIMATE_FROM) {
    const smaller = Math.min(w, pairs - w);
    return { w, p: Math.min(1, 2 * probabilityUpTo(smaller, nOld, nNew)), superiority, method: 'exact' };
  }
  const distance = w - pairs / 2;
  const z = (distance - Math.sign(distance) * 0.5) / Math.sqrt(variance);
  // The variance is 0 if all rates are equal. R then gives NaN.
  const p = variance > 0 ? twoSidedNormalP(z) : 1;
  return { w, p, superiority, method: 'normal' };
}

/** Distributions are kept, because the cases of a session usually have the same numbers of runs. */
const known = new Map<string, Float64Array>();

/** Probability that W is at most `w` if both samples come from one distribution. */
function probabilityUpTo(w: number, nOld: number, nNew: number): number {
  const m = Math.min(nOld, nNew);
  const n = Math.max(nOld, nNew);
  const key = `${m} ${n}`;
  const cumulative = known.get(key) ?? cumulativeProbabilities(m, n);
  known.set(key, cumulative);
  return cumulative[w] ?? 1;
}

/**
 * The cumulative distribution of W: counts the choices of m from m + n ranks for each W. It only adds positive numbers, so
 * the counts lose no digits.
 */
function cumulativeProbabilities(m: number, n: number): Float64Array {
  const size = m * n + 1;
  // counts[k][w]: subsets of k among the elements so far with the statistic w.
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
  let sum = 0;
  return ways.map((count) => {
    sum += count;
    return sum / total;
  });
}
