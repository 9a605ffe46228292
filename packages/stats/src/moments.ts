/** The sum of a term of each item. */
export function sumOf<Item>(items: Iterable<Item>, term: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += term(item);
  return sum;
}

export function meanOf(values: readonly number[]): number {
  return sumOf(values, (value) => value) / values.length;
}

/** The unbiased variance (divisor n - 1). */
export function varianceOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return sumOf(values, (value) => (value - mean) ** 2) / (values.length - 1);
}
