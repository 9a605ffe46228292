import type { SamplePair, SubjectRole } from '@bench-cli/results';

const LEVEL = 0.05;

type FailedPair = Pick<SamplePair, 'failed' | SubjectRole>;

export function hasFailedSide({ failed, ...pair }: FailedPair): boolean {
  return (['old', 'new'] as const).some((side) => failed?.[side] && pair[side].length === 0);
}

/** Whether failures select the rates: only one side has failures, or Fisher's exact test is significant. */
export function failuresDiffer({ failed, ...pair }: FailedPair): boolean {
  if (failed === undefined) return false;
  if (failed.old === 0 || failed.new === 0) return failed.old !== failed.new;
  const runs = { old: failed.old + pair.old.length, new: failed.new + pair.new.length };
  return fisherP({ hits: failed.old, of: runs.old }, { hits: failed.new, of: runs.new }) < LEVEL;
}

interface Share {
  readonly hits: number;
  readonly of: number;
}

/** The relative rounding error that R's `fisher.test` also allows. */
const TIE = 1e-7;

/**
 * The two-sided p-value of equal shares: the probability of all tables with the same sums that are at most as
 * likely.
 * Source: R. A. Fisher, "The design of experiments" (1935).
 */
export function fisherP(a: Share, b: Share): number {
  const hits = a.hits + b.hits;
  const least = Math.max(0, hits - b.of);
  const logs = [0];
  for (let x = least; x < Math.min(a.of, hits); x++)
    logs.push((logs.at(-1) ?? 0) + Math.log(((a.of - x) * (hits - x)) / ((x + 1) * (b.of - hits + x + 1))));
  const largest = Math.max(...logs);
  const weights = logs.map((log) => Math.exp(log - largest));
  const observed = (weights[a.hits - least] ?? 0) * (1 + TIE);
  const sum = (some: readonly number[]) => some.reduce((total, weight) => total + weight, 0);
  return Math.min(1, sum(weights.filter((weight) => weight <= observed)) / sum(weights));
}
