import { type SampleSummary, summarizeSample } from './sample.ts';

/** The fraction that is left out at each end. */
const TRIMMED = 0.2;

/**
 * Summarizes values without the highest and the lowest fifth of them (rounded down), so that a few disturbed ones change neither the
 * mean nor its error. In `welchTest` and `halfWidth` it gives Yuen's test and interval of trimmed means: the variance is that
 * of the winsorized values, scaled so that variance / n is the squared standard error of the trimmed mean.
 *
 * Source: K. K. Yuen, "The two-sample trimmed t for unequal population variances", Biometrika 61 (1974).
 *
 * @param values at least one; fewer than five, and those that are equal without the trimmed ones, are not trimmed
 */
export function trimmedSummary(values: readonly number[]): SampleSummary {
  const ascending = values.toSorted((a, b) => a - b);
  const cut = Math.floor(TRIMMED * ascending.length);
  const kept = ascending.slice(cut, ascending.length - cut);
  const summary = summarizeSample(kept);
  const [lowest, highest] = [kept.at(0), kept.at(-1)];
  if (cut === 0 || lowest === undefined || highest === undefined) return summary;
  const winsorized = summarizeSample(ascending.map((value) => Math.min(highest, Math.max(lowest, value))));
  // Values without spread have no test.
  if (winsorized.variance === null || winsorized.variance === 0) return summarizeSample(ascending);
  return { ...summary, variance: ((ascending.length - 1) * winsorized.variance) / (kept.length - 1) };
}
