import type { RatePair } from '@bench-cli/results';
import type { RankTest } from './mann-whitney.ts';
import { twoSidedNormalP } from './normal.ts';
import { midranks, tieTerm } from './rank.ts';

/**
 * The two-sided rank test of two subjects that several machines measured. Runs are ranked within each machine, and the rank
 * sums are weighted by 1 / (runs + 1), which is optimal if the difference is the same on all machines. Normal approximation
 * with a correction for ties and without one for continuity.
 *
 * It assumes independent runs, and nothing about the distribution of the rates.
 * Source: P. H. van Elteren, "On the combination of independent two-sample tests of Wilcoxon", Bull. Int. Stat. Inst. 37
 * (1960).
 *
 * @returns null if no machine has runs of both subjects
 */
export function vanElterenTest(machines: readonly RatePair[]): RankTest | null {
  const strata = machines.filter((machine) => machine.old.length > 0 && machine.new.length > 0).map(rankSum);
  if (strata.length === 0) return null;
  const sum = (term: (stratum: RankSum) => number) => strata.reduce((total, it) => total + term(it), 0);
  const distance = sum(({ w, pairs, runs }) => (w - pairs / 2) / (runs + 1));
  const variance = sum((it) => it.variance / (it.runs + 1) ** 2);
  return {
    w: sum(({ w }) => w),
    // The variance is 0 if all rates of each machine are equal.
    p: variance > 0 ? twoSidedNormalP(distance / Math.sqrt(variance)) : 1,
    superiority: sum(({ w, runs }) => w / (runs + 1)) / sum(({ pairs, runs }) => pairs / (runs + 1)),
    method: 'van Elteren',
  };
}

/** The rank statistic of one machine. */
interface RankSum {
  readonly runs: number;
  /** Old runs times new runs. */
  readonly pairs: number;
  /** The number of pairs in which the new run is faster; ties count half. */
  readonly w: number;
  /** The variance of `w` if the subjects do not differ. */
  readonly variance: number;
}

function rankSum({ old, new: new_ }: RatePair): RankSum {
  const { ranks, tieSizes } = midranks([...Array.from(new_), ...Array.from(old)]);
  const runs = ranks.length;
  const pairs = old.length * new_.length;
  const sum = ranks.subarray(0, new_.length).reduce((total, rank) => total + rank, 0);
  return {
    runs,
    pairs,
    w: sum - (new_.length * (new_.length + 1)) / 2,
    variance: (pairs / 12) * (runs + 1 - tieTerm(tieSizes) / (runs * (runs - 1))),
  };
}
