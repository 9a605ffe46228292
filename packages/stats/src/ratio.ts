import { chargedMeans, type RelativeMeans } from './relative-means.ts';
import { criticalT, twoSidedP } from './tail.ts';
import { CONSTANT_BELOW, satterthwaite, sumOfErrors } from './welch.ts';

/** The rate of the new subject divided by the rate of the old subject, with an interval. */
export interface RatioInterval {
  /** New mean over old mean: 1.05 is 5 % faster. */
  readonly ratio: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The ratio of two means with its confidence interval. The old mean is an estimate, unlike in the accuracy of
 * compare.R, so swapping the subjects gives the inverse interval.
 * Method: Fieller's theorem for independent samples of unequal variances, with the degrees of freedom of the
 * test of a ratio of 1, and the shared error of rounds (`chargedMeans`). The interval therefore excludes 1
 * exactly if that test finds a difference. The method assumes means that are about normal. Rates that do not
 * vary, in the sense of that test, give an interval without width.
 * Source: E. C. Fieller, "Some problems in interval estimation", J. R. Stat. Soc. B 16 (1954).
 * @returns null if the old mean does not differ from 0 at this risk, so that the ratio is not bounded
 */
export function ratioInterval(means: RelativeMeans, risk = 0.05): RatioInterval | null {
  const charged = chargedMeans(means);
  const { ratio, covariance, df } = charged;
  const [oldError, newError] = [charged.oldError.value, charged.newError.value];
  const oldPart = ratio ** 2 * oldError;
  if (!Number.isFinite(ratio) || !Number.isFinite(oldError + newError + oldPart)) return null;
  if (Math.sqrt(oldError + newError) <= CONSTANT_BELOW * Math.max(1, ratio))
    return { ratio, low: ratio, high: ratio };
  const squaredT = criticalT(risk, df) ** 2;
  const divisor = 1 - squaredT * oldError;
  if (divisor <= 0) return null;
  const square = newError + oldPart - 2 * ratio * covariance;
  const uncertain = Math.max(0, square - squaredT * (oldError * newError - covariance ** 2));
  const spread = Math.sqrt(squaredT * uncertain);
  const middle = ratio - squaredT * covariance;
  return { ratio, low: Math.max(0, (middle - spread) / divisor), high: (middle + spread) / divisor };
}

/**
 * The p-value of the null hypothesis that the true ratio is not beyond a limit: not below a limit under 1, or
 * not above a limit over 1. It is twice the p-value of the one-sided test. Therefore it is at most 0.05 only
 * if the 95 % interval lies beyond the limit, and gates in both directions need no further correction.
 * Method: Welch's test of new mean - limit × old mean, with the smaller of Satterthwaite's degrees of freedom
 * and those of the interval. The method assumes means that are about normal.
 * Source: as for the interval, which Fieller derives from this test.
 */
export function ratioP(means: RelativeMeans, limit: number): number {
  const { ratio, oldError, newError, covariance, df } = chargedMeans(means);
  if (!isBeyond(ratio, limit)) return 1;
  const errors = [{ ...oldError, value: limit ** 2 * oldError.value }, newError];
  const square = sumOfErrors(errors) - 2 * limit * covariance;
  const standardError = Math.sqrt(Math.max(0, square));
  if (standardError <= CONSTANT_BELOW * Math.max(1, ratio)) return 0;
  const fewer = means.paired ? df : Math.min(satterthwaite(errors), df);
  return twoSidedP((ratio - limit) / standardError, fewer);
}

export function ratioOfLog(log: number, half: number): RatioInterval {
  return { ratio: Math.exp(log), low: Math.exp(log - half), high: Math.exp(log + half) };
}

/** Whether a ratio is farther from 1 than a limit, on the same side. */
export function isBeyond(ratio: number, limit: number): boolean {
  return limit < 1 ? ratio < limit : ratio > limit;
}
