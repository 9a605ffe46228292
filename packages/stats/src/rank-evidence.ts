import type { RatePair } from '@bench-cli/results';
import { ERROR_RATE } from './judgement.ts';
import { meanOf } from './moments.ts';
import { mannWhitneyTest, signedRankP } from './rank-test.ts';
import { isPaired, roundPairs, sharedError } from './round-pairs.ts';
import { logRatios } from './sequential/pair-estimate.ts';

/**
 * The p-value of a test that assumes normal means, unless ranks are weaker evidence: then theirs. Processes of a JIT have modes that
 * each draws once. Few runs can then fall into opposite modes by chance and hardly vary, which is strong evidence only for normal
 * means. The probability that ranks are so far apart does not depend on the distribution.
 *
 * The ranks are those of all runs (Mann-Whitney), which needs independent runs. If one subject is slow in the rounds in which the other one
 * is fast, or if the rounds took turns, they are those of the differences of the rounds (Wilcoxon's signed ranks), which holds for any rounds
 * whose two runs are exchangeable.
 *
 * If equal subjects have one distribution, the result is below any level with at most the probability of that level.
 * @param p of the other test
 * @param level ranks are only compared for p-values below it, since others decide nothing
 * @param sign of the difference, new minus old: ranks that tend to differ in the other direction are no evidence of it
 */
export function supportedP(p: number, level: number, samples: RatePair, sign: number): number {
  return p >= level ? p : Math.max(p, rankP(samples, sign), floorOf([samples]));
}

/** The p-value of a test of pairs of runs, unless their signed ranks are weaker evidence (`supportedP`). */
export function supportedPairP(p: number, pairs: RatePair): number {
  if (p >= ERROR_RATE) return p;
  const differences = logRatios(pairs);
  return Math.max(p, signedRankP(differences, Math.sign(meanOf(differences))));
}

/** Scales each old rate by a factor, and adds an amount, so that a limit of a gate is tested as a ratio of 1. */
export function atLimit(samples: RatePair, factor: number, amount = 0): RatePair {
  return { ...samples, old: Array.from(samples.old, (rate) => factor * rate + amount) };
}

function rankP(samples: RatePair, sign: number): number {
  if (sharedError(samples) < 0 || isPaired(samples)) {
    const differences = roundPairs(samples).map((pair) => pair.new - pair.old);
    return signedRankP(differences, sign);
  }
  const test = mannWhitneyTest(samples.old, samples.new);
  return test === null || (test.superiority - 0.5) * sign < 0 ? 1 : test.p;
}

/**
 * The smallest p-value that so many runs can support, of one configuration or of several. With ties, the test of ranks is an
 * approximation.
 */
export function floorOf(samples: readonly RatePair[]): number {
  return samples.reduce((floor, { old, new: new_, rounds }) => {
    const ofSample =
      rounds === undefined
        ? permutationFloor(old.length, new_.length)
        : pairFloor(Math.min(old.length, new_.length));
    return (floor * ofSample) / 2;
  }, 2);
}

/** The fewest runs of each subject that support a p-value below a level. */
export function fewestRuns(level: number, arePairs: boolean): number {
  let runs = 1;
  while ((arePairs ? pairFloor(runs) : permutationFloor(runs, runs)) >= level) runs++;
  return runs;
}

/**
 * The smallest two-sided p-value that so many pairs can support: twice the probability that one subject is ahead in all of them, if
 * chance decides in each.
 */
export function pairFloor(pairs: number): number {
  return 2 ** (1 - pairs);
}

/**
 * The smallest two-sided p-value that a permutation test of so many independent runs can give: twice the probability of one division of all
 * runs into two groups of these sizes. No runs of these numbers are stronger evidence without an assumption about their
 * distribution: of two sharp modes, equal subjects with 3 + 3 runs have opposite ones in up to 1 of 32 cases, and then hardly vary.
 * Source: R. A. Fisher, "The Design of Experiments" (1935), section 21; E. J. G. Pitman, "Significance tests which may be applied to
 * samples from any populations", Suppl. J. R. Stat. Soc. 4 (1937).
 */
export function permutationFloor(nOld: number, nNew: number): number {
  const [fewer, more] = nOld < nNew ? [nOld, nNew] : [nNew, nOld];
  let logDivisions = 0;
  for (let run = 1; run <= fewer; run++) logDivisions += Math.log1p(more / run);
  return Math.min(1, 2 * Math.exp(-logDivisions));
}
