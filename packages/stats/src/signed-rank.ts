import { cumulative } from './moments.ts';
import { midranks } from './rank-test.ts';
import { remembered } from './remembered.ts';

/**
 * The two-sided p-value of Wilcoxon's signed rank test: whether pairs tend to differ in one direction. It is 1 if they tend to differ
 * in the other one. Exact for any number of pairs, also with ties; pairs without a difference do not count.
 *
 * It assumes independent pairs whose differences are symmetric about 0, which two exchangeable members of a pair provide. What both
 * members share cancels, so it also holds while the machine drifts.
 * Source: F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945); without ties equal to R's
 * `wilcox.test(differences)`.
 * @param sign of the differences in that direction
 */
export function signedRankP(differences: readonly number[], sign: number): number {
  const nonzero = differences.filter((difference) => difference !== 0);
  const { ranks, tieSizes } = midranks(nonzero.map(Math.abs));
  // Twice the ranks, because those of ties can end in .5.
  const doubled = Array.from(ranks, (rank) => 2 * rank);
  const against = doubled.reduce((sum, rank, at) => sum + ((nonzero[at] ?? 0) * sign < 0 ? rank : 0), 0);
  const cumulative = tieSizes.length === 0 ? withoutTies(doubled.length) : cumulativeProbabilities(doubled);
  return Math.min(1, 2 * (cumulative[against] ?? 1));
}

/** Without ties, the distribution only depends on the number of pairs. */
const withoutTies = remembered((pairs: number) =>
  cumulativeProbabilities(Array.from({ length: pairs }, (_, at) => 2 * (at + 1))),
);

/** The probability of each sum of ranks or a smaller one, if each pair has either sign with the same probability. */
function cumulativeProbabilities(ranks: readonly number[]): Float64Array {
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
