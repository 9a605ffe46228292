/** The distance of a figure from R's figure, relative to R's. */
export function relativeError(
  actual: number | null | undefined,
  expected: number | null | undefined,
): number {
  if (typeof actual !== 'number' || typeof expected !== 'number') return Number.POSITIVE_INFINITY;
  return actual === expected ? 0 : Math.abs(actual - expected) / Math.abs(expected);
}
