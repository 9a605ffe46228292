/**
 * Adjusts p-values for their number: of the adjusted p-values below 0.05, at most 5 % are expected to be false (the false
 * discovery rate). Null stands for a case without a test; it stays null and does not count.
 *
 * Method: R's `p.adjust(p, 'BH')`. It is valid for independent and for positively dependent tests.
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
