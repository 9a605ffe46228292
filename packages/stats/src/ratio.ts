import { type RelativeMeans, relativeMeans } from './relative-means.ts';
import type { SampleSummary } from './sample.ts';
import { satterthwaite, sumOfErrors } from './satterthwaite.ts';
import { criticalT } from './student-t.ts';

/** How many times as fast the new subject is, with the interval that the data allow. */
export interface RatioInterval {
  /** New mean over old mean: 1.05 is 5 % faster. */
  readonly ratio: number;
  /** Lower end of the 95 % confidence interval, at least 0. */
  readonly low: number;
  /** Upper end of the 95 % confidence interval. */
  readonly high: number;
}

/**
 * The ratio of two means with its confidence interval. Unlike the accuracy of compare.R it takes the old mean for
 * what it is, an estimate, so swapping the subjects gives exactly the inverse interval.
 *
 * Method: Fieller's theorem for independent samples of unequal variances, with Welch's degrees of freedom, which are those
 * of the test that the ratio is 1: so the interval excludes 1 exactly when that test finds a difference. Assumes means that
 * are roughly normal.
 * Source: E. C. Fieller, "Some problems in interval estimation", J. R. Stat. Soc. B 16 (1954).
 *
 * @returns null where no interval exists: fewer than two runs on a side, an old mean of 0, or an old mean that
 * cannot be told from 0 at this risk, so that the ratio is not bounded.
 */
export function ratioInterval(
  before: SampleSummary,
  after: SampleSummary,
  risk = 0.05,
): RatioInterval | null {
  const means = relativeMeans(before, after);
  return means && intervalOfRatio(means, risk);
}

/** As `ratioInterval`, of means in units of the old one, on one machine or over several. */
export function intervalOfRatio(
  { ratio, oldErrors, newErrors }: RelativeMeans,
  risk = 0.05,
): RatioInterval | null {
  const oldParts = oldErrors.map(({ value, df }) => ({ value: ratio ** 2 * value, df }));
  const oldError = sumOfErrors(oldErrors);
  const newError = sumOfErrors(newErrors);
  const oldPart = sumOfErrors(oldParts);
  if (!Number.isFinite(ratio) || !Number.isFinite(oldError + newError + oldPart)) return null;
  if (oldPart + newError === 0) return { ratio, low: ratio, high: ratio };

  const squaredT = criticalT(risk, satterthwaite([...oldErrors, ...newErrors])) ** 2;
  const divisor = 1 - squaredT * oldError;
  if (divisor <= 0) return null;
  const spread = Math.sqrt(squaredT * Math.max(0, newError + oldPart - squaredT * oldError * newError));
  return {
    ratio,
    low: Math.max(0, (ratio - spread) / divisor),
    high: (ratio + spread) / divisor,
  };
}
