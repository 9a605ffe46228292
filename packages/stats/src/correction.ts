/**
 * Adjusts p-values for their number. Of the adjusted p-values below 0.05, at most 5 % are expected to be
 * false (the false discovery rate). If all hypotheses are true, one is below 0.05 with a probability of at
 * most 5 %. Valid for independent and for positively dependent tests. Null is a case without a test, which
 * does not count.
 * Method: R's `p.adjust(p, 'BH')`.
 * Source: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Stat. Soc. B 57 (1995).
 * @param size the number of tests; p-values that are not given count as 1
 */
export function adjustForNumber(pValues: readonly (number | null)[], size = 0): (number | null)[] {
  const ascending = pValues
    .flatMap((p, index) => (p === null ? [] : [{ p, index }]))
    .sort((a, b) => a.p - b.p);
  const count = Math.max(size, ascending.length);
  const adjusted: (number | null)[] = pValues.map(() => null);
  let least = 1;
  for (const [place, { p, index }] of [...ascending.entries()].reverse()) {
    least = Math.min(least, (count / (place + 1)) * p);
    adjusted[index] = least;
  }
  return adjusted;
}
