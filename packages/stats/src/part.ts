import { adjustForNumber } from './correction.ts';
import { summaryOf } from './sample.ts';
import { halfWidth, welchTest } from './welch.ts';

/** How much one part of an operation, such as a function, takes under two subjects. */
export interface PartDifference {
  readonly part: string;
  /** The means. A part that a run does not have takes 0. */
  readonly old: number;
  readonly new: number;
  /** New minus old, in the unit of the values, with a 95 % interval. */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** Two-sided, after Benjamini and Hochberg's correction for all parts. */
  readonly adjustedP: number;
}

/** Parts that take less of the whole are too few samples of a profile to be compared. */
const LEAST_SHARE = 0.002;

/**
 * Compares each part of an operation, the largest difference first.
 *
 * Method: Welch's t-test and interval of each part, corrected for the number of parts. Parts with a small share of both
 * subjects together are left out before, which does not depend on their difference (R. Bourgon et al., "Independent filtering
 * increases detection power for high-throughput experiments", PNAS 107, 2010). It assumes independent runs, at least two of
 * each subject.
 *
 * @param runs the values of each run, by part
 */
export function compareParts(runs: {
  readonly old: readonly ReadonlyMap<string, number>[];
  readonly new: readonly ReadonlyMap<string, number>[];
}): readonly PartDifference[] {
  const all = [...runs.old, ...runs.new];
  const totals = new Map<string, number>();
  for (const run of all) for (const [part, value] of run) totals.set(part, (totals.get(part) ?? 0) + value);
  const whole = [...totals.values()].reduce((sum, value) => sum + value, 0);
  const compared = Array.from(totals, ([part, total]) => ({ part, total }))
    .filter(({ total }) => total >= whole * LEAST_SHARE)
    .flatMap(({ part }) => {
      const [old, new_] = [runs.old, runs.new].map((side) =>
        summaryOf(side.map((run) => run.get(part) ?? 0)),
      );
      const test = old && new_ ? welchTest(old, new_) : undefined;
      if (!old || !new_ || test === undefined || test.kind === 'none') return [];
      const difference = new_.mean - old.mean;
      const half = halfWidth(test, 0.05);
      const interval = { low: difference - half, high: difference + half };
      return [{ part, old: old.mean, new: new_.mean, difference, ...interval, p: test.p }];
    });
  const adjusted = adjustForNumber(
    compared.map(({ p }) => p),
    'benjamini-hochberg',
  );
  return compared
    .map(({ p, ...part }, at) => ({ ...part, adjustedP: adjusted[at] ?? p }))
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference));
}
