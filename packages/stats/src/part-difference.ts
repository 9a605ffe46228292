import { adjustForNumber } from './correction.ts';
import { medianOf } from './moments.ts';
import { type SampleSummary, summarizeSample } from './sample.ts';
import { halfWidth, welchTest } from './welch.ts';

/** The cost of one part of an operation, such as a function, under two subjects. */
export interface PartDifference {
  readonly part: string;
  /** The means without the highest and the lowest fifth of the runs. A part that a run lacks takes 0. */
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

/** Parts with a smaller share of the whole have too few samples of a profile. */
const LEAST_SHARE = 0.002;

/**
 * Compares each part of an operation, and sorts by the size of the difference.
 * Method: Yuen's t-test and interval of the trimmed means, which are robust to a few disturbed runs,
 * corrected for the number of parts; Welch's test with fewer than five runs. Parts with a small share of both
 * subjects together are left out first, independently of their difference (R. Bourgon et al., "Independent
 * filtering increases detection power for high-throughput experiments", PNAS 107, 2010). The method assumes
 * at least two independent runs of each subject.
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

const TRIMMED = 0.2;

/**
 * Summarizes values without the highest and the lowest fifth (rounded down), so that a few disturbed values
 * change neither the mean nor its error. `welchTest` and `halfWidth` then give Yuen's test and interval: the
 * variance is that of the winsorized values, scaled so that variance / n is the squared standard error of the
 * trimmed mean.
 * Source: K. K. Yuen, "The two-sample trimmed t for unequal population variances", Biometrika 61 (1974).
 * @param values at least one; fewer than five are not trimmed, nor are values that trimming makes equal
 */
function trimmedSummary(values: readonly number[]): SampleSummary {
  const ascending = values.toSorted((a, b) => a - b);
  const cut = Math.floor(TRIMMED * ascending.length);
  const summary = summarizeSample(ascending.slice(cut, ascending.length - cut));
  if (cut === 0) return summary;
  const { n, min, max } = summary;
  const winsorized = summarizeSample(ascending.map((value) => Math.min(max, Math.max(min, value))));
  // Values without spread have no test, so they are not trimmed.
  if (winsorized.variance === null || winsorized.variance === 0) return summarizeSample(ascending);
  return { ...summary, variance: ((ascending.length - 1) * winsorized.variance) / (n - 1) };
}

/** Parts with a smaller share vary too much to show the common factor. */
const LEAST_COMMON_SHARE = 0.01;
/** With fewer parts, a changed part can be the median. */
const LEAST_PARTS = 5;

/**
 * Divides each run by the common factor of its parts. The frequency of the processor and other load slow all
 * parts of a run, often by more than a change of one part.
 * Method: the factor of a run is the median, over the parts, of the value in this run divided by its mean
 * over all runs of both subjects. The method assumes that fewer than half of these parts change. It also
 * removes a factor that all runs of one subject share: compare the factors to find it. Runs stay as they are
 * with fewer than five parts that have at least 1 % of the whole.
 * Source: S. Anders and W. Huber, "Differential expression analysis for sequence count data", Genome Biology
 * 11 (2010), with the arithmetic mean in place of the geometric one.
 * @returns the divided runs, and the factors in the same order; 1 for an unknown factor
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
  for (const run of [...old, ...new_])
    for (const [part, value] of run) totals.set(part, (totals.get(part) ?? 0) + value);
  const whole = [...totals.values()].reduce((sum, value) => sum + value, 0);
  return new Map(Array.from(totals, ([part, total]) => [part, total / whole]));
}
