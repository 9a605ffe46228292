/** What machines have, one value each: the value of all, or each value with how many have it. */
export function machinesText(values: readonly string[]): string {
  const groups = [...Map.groupBy(values, (value) => value)];
  if (groups.length === 1) return values[0] ?? '';
  return groups.map(([value, { length }]) => `${value} (${length} of ${values.length})`).join('; ');
}
