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
