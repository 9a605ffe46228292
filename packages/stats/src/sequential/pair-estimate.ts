import { meanOf } from '../moments.ts';
import { criticalT, twoSidedP } from '../tail.ts';
import { CONSTANT_BELOW, satterthwaite } from '../welch.ts';

/** Rates (operations per second) of two subjects. The runs at one index were measured one right after the other. */
export interface PairedRates {
  readonly old: readonly number[];
  readonly new: readonly number[];
}

export interface PairEstimate {
  readonly runs: number;
  /** The mean of log(new / old): 0.01 is about 1 % faster. */
  readonly logRatio: number;
  readonly standardError: number;
  /** Degrees of freedom of the standard error. */
  readonly df: number;
}

/** The distance of the lower limit of the correlation from its estimate, in standard errors, for a risk of 5 %. */
const correlationZ = 1.645;

/**
 * Estimates the ratio of two rates from pairs of runs.
 *
 * Disturbances that affect both runs of a pair (a drift, a busy neighbour) cancel in their ratio. But a paired test has half
 * the degrees of freedom, which widens intervals of few runs. The standard error is therefore that of Welch's test, reduced by
 * the correlation within pairs, of which only the lower 95 % confidence limit counts; without evidence of a correlation it is
 * 0. The degrees of freedom change with it, from those of Welch's test to those of the paired test.
 *
 * The method assumes logarithms of rates that are about normal. Because of the logarithms, swapping the subjects only changes the sign
 * of the estimate.
 * Source: the variance of a difference of correlated means; for the limit R. A. Fisher, "On the 'probable error' of a
 * coefficient of correlation", Metron 1 (1921).
 * @returns null with fewer than two pairs, or if a rate is 0, which has no logarithm
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
  const negligible = CONSTANT_BELOW * Math.max(1, Math.abs(oldMean), Math.abs(newMean));
  if (standardError <= negligible) {
    const isEqual = Math.abs(logRatio) <= negligible;
    return { runs, logRatio: isEqual ? 0 : logRatio, standardError: 0, df: 2 * (runs - 1) };
  }
  const welchDf = satterthwaite([oldVariance, newVariance].map((value) => ({ value, df: runs - 1 })));
  const df = runs - 1 + (1 - credited) * (welchDf - (runs - 1));
  return { runs, logRatio, standardError, df };
}

/** Two-sided p-value of the null hypothesis that the true log ratio is 0. */
export function pairP({ logRatio, standardError, df }: PairEstimate): number {
  const distance = Math.abs(logRatio);
  if (standardError === 0) return distance === 0 ? 1 : 0;
  return twoSidedP(distance / standardError, df);
}

/** Half the width of the interval of the log ratio. @param risk such as 0.05 */
export function pairHalfWidth({ standardError, df }: PairEstimate, risk: number): number {
  return standardError === 0 ? 0 : criticalT(risk, df) * standardError;
}

function lowerLimit(correlation: number, runs: number): number {
  // The standard error of Fisher's transformation does not exist below four pairs, and is poor for four.
  if (runs < 5 || correlation <= 0) return 0;
  const transformed = Math.atanh(Math.min(correlation, mostCorrelation));
  return Math.max(0, Math.tanh(transformed - correlationZ / Math.sqrt(runs - 3)));
}

/** Keeps the transformation finite for samples that only differ by a constant factor. */
const mostCorrelation = 1 - 1e-12;

/** The geometric means of the first pairs, whose quotient is their ratio. */
export function meansOfPairs({ old, new: new_ }: PairedRates, runs: number) {
  const mean = (rates: readonly number[]) => Math.exp(meanOf(rates.slice(0, runs).map(Math.log)));
  return { old: mean(old), new: mean(new_) };
}

function covarianceOf(a: readonly number[], aMean: number, b: readonly number[], bMean: number): number {
  const sum = a.reduce((total, value, index) => total + (value - aMean) * ((b[index] ?? bMean) - bMean), 0);
  return sum / (a.length - 1);
}
