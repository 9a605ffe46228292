import { adjustForNumber } from './correction.ts';
import { medianOf } from './moments.ts';
import { type SampleSummary, summarizeSample } from './sample.ts';
import { halfWidth, welchTest } from './welch.ts';

/** How much one part of an operation, such as a function, takes under two subjects. */
export interface PartDifference {
  readonly part: string;
  /** The trimmed means, without the highest and the lowest fifth of the runs. A part that a run does not have takes 0. */
  readonly old: number;
  readonly new: number;
  /** New minus old, in the unit of the values, with a 95 % interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided, after Benjamini and Hochberg's correction for all parts. */
  readonly adjustedP: number;
}

export interface PartRuns {
  readonly old: readonly ReadonlyMap<string, number>[];
  readonly new: readonly ReadonlyMap<string, number>[];
}

/** Parts that take less of the whole are too few samples of a profile to be compared. */
const LEAST_SHARE = 0.002;

/**
 * Compares each part of an operation, the largest difference first.
 *
 * Method: Yuen's t-test and interval of the trimmed means of each part, which a few disturbed runs do not spoil, corrected for the number
 * of parts. With fewer than five runs it is Welch's. Parts with a small share of both
 * subjects together are left out before, which does not depend on their difference (R. Bourgon et al., "Independent filtering
 * increases detection power for high-throughput experiments", PNAS 107, 2010). It assumes independent runs, at least two of
 * each subject.
 */
export function compareParts(runs: PartRuns): readonly PartDifference[] {
  const compared = Array.from(totalsOf(runs))
    .filter(([, share]) => share >= LEAST_SHARE)
    .flatMap(([part]) => {
      const [old, new_] = [runs.old, runs.new].map((side) =>
        side.length === 0 ? undefined : trimmedSummary(side.map((run) => run.get(part) ?? 0)),
      );
      const test = old && new_ && welchTest(old, new_);
      if (!old || !new_ || !test) return [];
      const difference = new_.mean - old.mean;
      const half = halfWidth(test, 0.05);
      const interval = { low: difference - half, high: difference + half };
      return [{ part, old: old.mean, new: new_.mean, difference, ...interval, p: test.p }];
    });
  const adjusted = adjustForNumber(compared.map(({ p }) => p));
  return compared
    .map(({ p, ...part }, at) => ({ ...part, adjustedP: adjusted[at] ?? p }))
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
}

/** The fraction that is left out at each end. */
const TRIMMED = 0.2;

/**
 * Summarizes values without the highest and the lowest fifth of them (rounded down), so that a few disturbed ones change neither the
 * mean nor its error. In `welchTest` and `halfWidth` it gives Yuen's test and interval of trimmed means: the variance is that
 * of the winsorized values, scaled so that variance / n is the squared standard error of the trimmed mean.
 *
 * Source: K. K. Yuen, "The two-sample trimmed t for unequal population variances", Biometrika 61 (1974).
 * @param values at least one; fewer than five, and those that are equal without the trimmed ones, are not trimmed
 */
function trimmedSummary(values: readonly number[]): SampleSummary {
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

/** Parts with a smaller share vary too much to tell what all parts have in common. */
const LEAST_COMMON_SHARE = 0.01;
/** Of fewer parts, one that changed can be the median. */
const LEAST_PARTS = 5;

/**
 * Divides each run by the factor that its parts have in common: the frequency of the processor and other load make all parts of a
 * run take longer, often by more than a part changes.
 *
 * Method: the factor of a run is the median, over the parts, of the value in this run divided by its mean over all runs of both
 * subjects. It assumes that fewer than half of these parts change. A factor that the runs of one subject have in common is divided out,
 * too: compare the factors to find it. With fewer than five parts that have at least 1 % of the whole, the runs stay as they are.
 * Source: S. Anders and W. Huber, "Differential expression analysis for sequence count data", Genome Biology 11 (2010), with the
 * arithmetic mean in place of the geometric one.
 * @returns the divided runs, and the factors in the same order, 1 if they are unknown
 */
export function withoutCommonFactor(runs: PartRuns) {
  const all = [...runs.old, ...runs.new];
  const means = Array.from(totalsOf(runs))
    .filter(([part, share]) => share >= LEAST_COMMON_SHARE && all.every((run) => run.has(part)))
    .map(([part]) => [part, all.reduce((sum, run) => sum + (run.get(part) ?? 0), 0) / all.length] as const);
  const factorOf = (run: ReadonlyMap<string, number>) =>
    means.length < LEAST_PARTS ? 1 : medianOf(means.map(([part, mean]) => (run.get(part) ?? 0) / mean)) || 1;
  const factors = { old: runs.old.map(factorOf), new: runs.new.map(factorOf) };
  const divided = (side: keyof PartRuns) =>
    runs[side].map(
      (run, at) => new Map(Array.from(run, ([part, value]) => [part, value / (factors[side][at] ?? 1)])),
    );
  return { runs: { old: divided('old'), new: divided('new') }, factors };
}

/** The share of each part of the whole, over all runs. */
function totalsOf({ old, new: new_ }: PartRuns): ReadonlyMap<string, number> {
  const totals = new Map<string, number>();
  for (const run of [...old, ...new_]) {
    for (const [part, value] of run) totals.set(part, (totals.get(part) ?? 0) + value);
  }
  const whole = [...totals.values()].reduce((sum, value) => sum + value, 0);
  return new Map(Array.from(totals, ([part, total]) => [part, total / whole]));
}
