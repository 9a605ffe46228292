import type { RatePair } from '@bench-cli/results';
import { meanOf } from './moments.ts';
import { mannWhitneyTest, signedRankP, vanElterenTest } from './rank-test.ts';

/**
 * The p-value of a test that assumes normal means, unless ranks are weaker evidence: then theirs. Processes of a JIT have modes that
 * each draws once. Few runs can then fall into opposite modes by chance and hardly vary, which is strong evidence only for normal
 * means. The probability that ranks are so far apart does not depend on the distribution.
 *
 * If equal subjects have one distribution, the result is below any level with at most the probability of that level.
 * @param p of the other test
 * @param level ranks are only compared for p-values below it, since others decide nothing
 * @param samples of one machine, or of several
 * @param sign of the difference, new minus old: ranks that tend to differ in the other direction are no evidence of it
 */
export function supportedP(p: number, level: number, samples: readonly RatePair[], sign: number): number {
  return p < level ? Math.max(p, rankP(samples, sign)) : p;
}

/**
 * The p-value of a test of pairs of runs that follow each other, unless ranks are weaker evidence (`supportedP`). Signed ranks of pairs
 * count, too: they show a difference in spite of a drift that pairs share.
 */
export function supportedPairP(p: number, level: number, pairs: RatePair): number {
  if (p >= level) return p;
  const differences = Array.from(pairs.new, (rate, at) => Math.log(rate / (pairs.old[at] ?? Number.NaN)));
  const sign = Math.sign(meanOf(differences));
  return Math.max(p, Math.min(rankP([pairs], sign), signedRankP(differences, sign)));
}

/** Scales each old rate by a factor, and adds an amount, so that a limit of a gate is tested as a ratio of 1. */
export function atLimit(samples: readonly RatePair[], factor: number, amount = 0): readonly RatePair[] {
  return samples.map(({ old, new: new_ }) => ({
    old: Array.from(old, (rate) => factor * rate + amount),
    new: new_,
  }));
}

function rankP(samples: readonly RatePair[], sign: number): number {
  const [first, ...others] = samples;
  if (first === undefined) return 1;
  const test = others.length === 0 ? mannWhitneyTest(first.old, first.new) : vanElterenTest(samples);
  if (test === null || (test.superiority - 0.5) * sign < 0) return 1;
  return Math.max(test.p, floorOf(samples));
}

/**
 * The smallest p-value that ranks can have with so many runs, of one machine or configuration or of several. With ties and for
 * several, the test of ranks is an approximation.
 */
export function floorOf(samples: readonly RatePair[]): number {
  return samples
    .filter((sample) => sample.old.length > 0 && sample.new.length > 0)
    .reduce((floor, sample) => (floor * permutationFloor(sample.old.length, sample.new.length)) / 2, 2);
}

/**
 * The smallest two-sided p-value that a permutation test of so many runs can give: twice the probability of one division of all
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
