import { criticalT, twoSidedP } from '../student-t.ts';

/** The rates (operations per second) of two subjects; those at one index were measured right after each other. */
export interface PairedRates {
  readonly old: readonly number[];
  readonly new: readonly number[];
}

/** What pairs of runs tell of the ratio of two rates. */
export interface PairEstimate {
  /** Pairs. */
  readonly runs: number;
  /** The mean of log(new / old): 0.01 is about 1 % faster. */
  readonly logRatio: number;
  readonly standardError: number;
  /** Degrees of freedom of the standard error. */
  readonly df: number;
}

/** How far above its lower limit the correlation usually is, in standard errors: a risk of 5 %. */
const correlationZ = 1.645;

/**
 * Estimates the ratio of two rates from pairs of runs.
 *
 * What disturbs both runs of a pair alike (a drift, a busy neighbour) cancels in their ratio, but a paired test has half
 * the degrees of freedom, which is dear with few runs. So the standard error is that of Welch's test, less what the
 * correlation within pairs takes from it; and of the correlation only its lower 95 % confidence limit is believed, which
 * is nothing as long as none is evident. The degrees of freedom go from Welch's to those of the paired test with it.
 *
 * Assumes that logarithms of rates are about normal. Logarithms make slower and faster symmetrical: swapping the
 * subjects changes the sign of the estimate and nothing else.
 * Source: the variance of a difference of correlated means; for the limit R. A. Fisher, "On the 'probable error' of a
 * coefficient of correlation", Metron 1 (1921).
 *
 * @returns null with fewer than two pairs, or where a rate is 0, which has no logarithm
 */
export function estimatePairs({ old, new: new_ }: PairedRates): PairEstimate | null {
  const runs = Math.min(old.length, new_.length);
  const before = old.slice(0, runs).map(Math.log);
  const after = new_.slice(0, runs).map(Math.log);
  const oldMean = meanOf(before);
  const newMean = meanOf(after);
  if (runs < 2 || !Number.isFinite(oldMean) || !Number.isFinite(newMean)) return null;
  const oldVariance = covarianceOf(before, oldMean, before, oldMean);
  const newVariance = covarianceOf(after, newMean, after, newMean);
  const deviations = Math.sqrt(oldVariance * newVariance);
  const covariance = covarianceOf(before, oldMean, after, newMean);
  const credited = deviations === 0 ? 0 : lowerLimit(covariance / deviations, runs);
  const squaredError = (oldVariance + newVariance - 2 * credited * deviations) / runs;
  const standardError = Math.sqrt(Math.max(0, squaredError));
  const logRatio = newMean - oldMean;
  const negligible = constantBelow * Math.max(1, Math.abs(oldMean), Math.abs(newMean));
  if (standardError <= negligible) {
    const isEqual = Math.abs(logRatio) <= negligible;
    return { runs, logRatio: isEqual ? 0 : logRatio, standardError: 0, df: 2 * (runs - 1) };
  }
  const df = runs - 1 + (1 - credited) * (welchDf(oldVariance, newVariance, runs) - (runs - 1));
  return { runs, logRatio, standardError, df };
}

/** As in `welchTest`: rates vary by no more than their rounding does. */
const constantBelow = 10 * Number.EPSILON;

/** Two-sided p-value of a true log ratio. */
export function pairP({ logRatio, standardError, df }: PairEstimate, trueLogRatio = 0): number {
  const distance = Math.abs(logRatio - trueLogRatio);
  if (standardError === 0) return distance === 0 ? 1 : 0;
  return twoSidedP(distance / standardError, df);
}

/** Half the width of the interval of the log ratio at a risk such as 0.05. */
export function pairHalfWidth({ standardError, df }: PairEstimate, risk: number): number {
  return standardError === 0 ? 0 : criticalT(risk, df) * standardError;
}

function lowerLimit(correlation: number, runs: number): number {
  // Fisher's transformation has no standard error below four pairs, and a poor one of four.
  if (runs < 5 || correlation <= 0) return 0;
  const transformed = Math.atanh(Math.min(correlation, mostCorrelation));
  return Math.max(0, Math.tanh(transformed - correlationZ / Math.sqrt(runs - 3)));
}

/** Keeps the transformation finite for samples that differ by a constant factor only. */
const mostCorrelation = 1 - 1e-12;

function welchDf(oldVariance: number, newVariance: number, runs: number): number {
  const sum = oldVariance + newVariance;
  return (runs - 1) / ((oldVariance / sum) ** 2 + (newVariance / sum) ** 2);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function covarianceOf(a: readonly number[], aMean: number, b: readonly number[], bMean: number): number {
  const sum = a.reduce((total, value, index) => total + (value - aMean) * ((b[index] ?? bMean) - bMean), 0);
  return sum / (a.length - 1);
}
