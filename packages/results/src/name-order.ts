/**
 * The order of names in R's tables: the root collation of Unicode (CLDR), in which `.` comes before `'` and letters
 * are in alphabetical order whatever their case; English does not change it. Names that it takes for equal follow
 * their UTF-16 units, so that the order never depends on the input's.
 */
export function nameOrder(): (a: string, b: string) => number {
  const collator = new Intl.Collator('en');
  return (a, b) => collator.compare(a, b) || textOrder(a, b);
}

/** The order of dates and identifiers: by their units of code. */
export function textOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
