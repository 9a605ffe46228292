import type { RatePair } from '@bench-cli/results';
import type { RankTest } from './mann-whitney.ts';
import { twoSidedNormalP } from './normal.ts';
import { type RankSum, rankSum } from './rank.ts';

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
