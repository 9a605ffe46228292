import type { RatePair } from '@bench-cli/results';
import type { RatioInterval } from './ratio.ts';

/** Rates that differ by less are equal except for rounding. */
export const ROUNDING = 1e-9;

/** The largest step of rates that never vary, a fraction. Runs are assumed to last ten steps or more. */
export const LARGEST_STEP = 0.1;

/**
 * The smallest difference that rates can show, a fraction. If at most half of the rates of a side are
 * distinct, they have steps, as with a clock of 1 ms, and the result is the smallest step. 0 for rates that
 * are hardly ever equal. Infinite if no rate of any side varies, because the step is then unknown.
 * @param samples of one configuration, or of several
 */
export function resolutionOf(samples: readonly RatePair[]): number {
  const sides = samples.flatMap((sample) => [sample.old, sample.new]).filter(({ length }) => length > 1);
  const steps = sides.map(stepOf);
  const known = steps.filter(Number.isFinite);
  return known.length === 0 && steps.length > 0 ? Number.POSITIVE_INFINITY : Math.max(0, ...known);
}

/**
 * Extends an interval to at least one step on each side of the estimate. A clock can round all runs of a side
 * in the same direction, so more runs do not show smaller differences. A wider interval stays, because runs
 * that differ by a step or more cancel their rounding.
 * @param step a fraction, as `resolutionOf`
 */
export function withStep<Interval extends RatioInterval>(interval: Interval, step: number): Interval {
  const { ratio, low, high } = interval;
  return { ...interval, low: Math.min(low, ratio * (1 - step)), high: Math.max(high, ratio / (1 - step)) };
}

/** Infinite if all rates are equal. 0 if a rate is 0, which has its own warning. */
function stepOf(rates: ArrayLike<number>): number {
  if (new Set(Array.from(rates)).size > rates.length / 2) return 0;
  const ascending = new Float64Array(rates).sort();
  if (ascending[0] === 0) return 0;
  const gaps = ascending.subarray(1).map((after, at) => (after - (ascending[at] ?? 0)) / after);
  return gaps
    .filter((gap) => gap > ROUNDING)
    .reduce((step, gap) => Math.min(step, gap), Number.POSITIVE_INFINITY);
}
