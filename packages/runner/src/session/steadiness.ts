/** The standard deviation of a sample (n - 1) of at least two rates, as a fraction of their mean. */
export function coefficientOfVariation(rates: readonly number[]): number {
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const squares = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0);
  return Math.sqrt(squares / (rates.length - 1)) / mean;
}

/** The 95 % quantile of the normal distribution. */
const z95 = 1.645;

/**
 * Whether the coefficient of variation is below a limit, with 95 % confidence in either direction; at the limit of runs
 * the estimate itself decides. The logarithm of a standard deviation is approximately normal with the standard error
 * 1 / sqrt(2 (n - 1)).
 * @returns undefined if more runs are required
 */
export function isSteady(rates: readonly number[], limit: number, maximumRuns: number): boolean | undefined {
  if (rates.length < 3) return undefined;
  const estimate = coefficientOfVariation(rates);
  if (rates.length >= maximumRuns) return estimate < limit;
  const factor = Math.exp(z95 / Math.sqrt(2 * (rates.length - 1)));
  if (estimate / factor >= limit) return false;
  return estimate * factor < limit ? true : undefined;
}
