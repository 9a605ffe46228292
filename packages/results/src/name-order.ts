/**
 * The order of names in R's tables: the root collation of Unicode (CLDR), in which `.` comes before `'` and
 * case is secondary. English does not change it. Equal names are ordered by their UTF-16 units, so that the
 * order never depends on the input's.
 */
export function nameOrder(): (a: string, b: string) => number {
  const collator = new Intl.Collator('en');
  return (a, b) => collator.compare(a, b) || textOrder(a, b);
}

/** The order of dates and identifiers, by code units. */
export function textOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
