/**
 * The standard deviation of rates as a fraction of their mean, of at least two rates; the deviation is that of a sample
 * (n - 1).
 */
export function coefficientOfVariation(rates: readonly number[]): number {
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
  const squares = rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0);
  return Math.sqrt(squares / (rates.length - 1)) / mean;
}

/** The 95 % quantile of the normal distribution. */
const z95 = 1.645;

/**
 * Whether the coefficient of variation is below a limit, as soon as the runs made so far tell: with 95 % confidence each
 * way, or, when no more runs are wanted, by the estimate itself. The logarithm of a standard deviation is about normal
 * with the standard error 1 / sqrt(2 (n - 1)).
 * @returns undefined if more runs are needed
 */
export function isSteady(rates: readonly number[], limit: number, maximumRuns: number): boolean | undefined {
  if (rates.length < 3) return undefined;
  const estimate = coefficientOfVariation(rates);
  if (rates.length >= maximumRuns) return estimate < limit;
  const factor = Math.exp(z95 / Math.sqrt(2 * (rates.length - 1)));
  if (estimate / factor >= limit) return false;
  return estimate * factor < limit ? true : undefined;
}
