import type { RatePair } from '@bench-cli/results';
import { ERROR_RATE } from './judgement.ts';
import { meanOf } from './moments.ts';
import { mannWhitneyTest, signedRankP } from './rank-test.ts';
import { isPaired, roundPairs, sharedError } from './round-pairs.ts';
import { logRatios } from './sequential/pair-estimate.ts';

/**
 * The larger of two p-values: of a test that assumes normal means, and of ranks. Processes of a JIT have
 * modes, and each process draws its mode once. By chance, a few runs can fall into opposite modes and hardly
 * vary. A test that assumes normal means takes this for strong evidence; the p-value of ranks does not depend
 * on the distribution.
 *
 * Ranks of all runs (Mann-Whitney) need independent runs. Differences of rounds (Wilcoxon's signed ranks)
 * need only rounds with two exchangeable runs. They are used if rounds took turns, or if one subject is slow
 * in the rounds in which the other is fast.
 *
 * If equal subjects have one distribution, the result is below any level with at most the probability of that
 * level.
 * @param p of the test that assumes normal means
 * @param level ranks are only computed for p-values below it, because other p-values decide nothing
 * @param sign of the difference, new minus old: ranks in the other direction do not support it
 */
export function supportedP(p: number, level: number, samples: RatePair, sign: number): number {
  return p >= level ? p : Math.max(p, rankP(samples, sign), floorOf([samples]));
}

/** The p-value of a test of pairs of runs, or of their signed ranks if that is larger (`supportedP`). */
export function supportedPairP(p: number, pairs: RatePair): number {
  if (p >= ERROR_RATE) return p;
  const differences = logRatios(pairs);
  return Math.max(p, signedRankP(differences, Math.sign(meanOf(differences))));
}

/** Scales each old rate and adds an amount, so that the limit of a gate becomes a ratio of 1. */
export function atLimit(samples: RatePair, factor: number, amount = 0): RatePair {
  return { ...samples, old: Array.from(samples.old, (rate) => factor * rate + amount) };
}

function rankP(samples: RatePair, sign: number): number {
  if (sharedError(samples) < 0 || isPaired(samples)) {
    const differences = roundPairs(samples).map((pair) => pair.new - pair.old);
    return signedRankP(differences, sign);
  }
  const test = mannWhitneyTest(samples);
  return test === null || (test.superiority - 0.5) * sign < 0 ? 1 : test.p;
}

/**
 * The smallest p-value that samples of these sizes can support. With ties, the test of ranks is an
 * approximation.
 * @param samples of one configuration, or of several
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

/** The smallest two-sided p-value of pairs: chance puts one subject ahead in all of them. */
export function pairFloor(pairs: number): number {
  return 2 ** (1 - pairs);
}

/**
 * The smallest two-sided p-value of a permutation test of independent runs: twice the probability of one
 * division of all runs into two groups of these sizes. Runs of these numbers cannot be stronger evidence
 * without an assumption about their distribution. With two sharp modes, 3 + 3 runs of equal subjects fall
 * into opposite modes in up to 1 of 32 cases, and then hardly vary.
 * Source: R. A. Fisher, "The Design of Experiments" (1935), section 21; E. J. G. Pitman, "Significance tests
 * which may be applied to samples from any populations", Suppl. J. R. Stat. Soc. 4 (1937).
 */
export function permutationFloor(nOld: number, nNew: number): number {
  const [fewer, more] = nOld < nNew ? [nOld, nNew] : [nNew, nOld];
  let logDivisions = 0;
  for (let run = 1; run <= fewer; run++) logDivisions += Math.log1p(more / run);
  return Math.min(1, 2 * Math.exp(-logDivisions));
}
