export function sumOf<Item>(items: Iterable<Item>, term: (item: Item) => number): number {
  let sum = 0;
  for (const item of items) sum += term(item);
  return sum;
}

/** The sums of the values up to each of them. */
export function cumulative(values: Float64Array): Float64Array {
  let sum = 0;
  return values.map((value) => (sum += value));
}

export function meanOf(values: readonly number[]): number {
  return sumOf(values, (value) => value) / values.length;
}

/** @param values above 0 */
export function geometricMean(values: readonly number[]): number {
  return Math.exp(meanOf(values.map(Math.log)));
}

export function squaresOf(values: readonly number[]): number {
  const mean = meanOf(values);
  return sumOf(values, (value) => (value - mean) ** 2);
}

/** The unbiased variance (divisor n - 1). */
export function varianceOf(values: readonly number[]): number {
  return squaresOf(values) / (values.length - 1);
}

/** A quantile of ascending values, interpolated like R's default (type 7). */
export function quantile(ascending: ArrayLike<number>, probability: number): number {
  const place = (ascending.length - 1) * probability;
  const below = ascending[Math.floor(place)] ?? Number.NaN;
  const above = ascending[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function medianOf(values: readonly number[]): number {
  const ascending = values.toSorted((a, b) => a - b);
  return quantile(ascending, 0.5);
}
