/**
 * Adjusts p-values for their number, so that of those below 0.05 after it no more than 5 % are expected to be false
 * (the false discovery rate). Null, where no test was possible, stays null and does not count.
 *
 * Method: R's `p.adjust(p, 'BH')`; it holds for independent and for positively dependent tests.
 * Source: Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate", J. R. Stat. Soc. B 57 (1995).
 */
export function adjustForDiscoveries(pValues: readonly (number | null)[]): (number | null)[] {
  const descending = pValues
    .flatMap((p, index) => (p === null ? [] : [{ p, index }]))
    .sort((a, b) => b.p - a.p);
  const adjusted: (number | null)[] = pValues.map(() => null);
  const count = descending.length;
  let least = 1;
  for (const [place, { p, index }] of descending.entries()) {
    least = Math.min(least, (count / (count - place)) * p);
    adjusted[index] = least;
  }
  return adjusted;
}
