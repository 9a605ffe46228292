import type { RatePair } from '@bench-cli/results';

/** Rates that differ by less are equal: the rest is rounding. */
const ROUNDING = 1e-9;

/**
 * The smallest difference that rates can show, a fraction: 0 for rates that are hardly ever equal. If at most half of the rates of a side
 * are distinct, they have steps, as those of a clock of 1 ms have, and it is the smallest step. If no rate of either side varies, the steps are not known,
 * and it is the margin.
 * @param samples of one machine, or of several
 */
export function resolutionOf(samples: readonly RatePair[], margin: number): number {
  const sides = samples.flatMap((sample) => [sample.old, sample.new]).filter(({ length }) => length > 1);
  const steps = sides.map(stepOf);
  if (steps.length > 0 && steps.every((step) => step === Number.POSITIVE_INFINITY)) return margin;
  return Math.max(0, ...steps.filter(Number.isFinite));
}

/** Without a limit if all rates are equal, except rates of 0, which have warnings of their own. */
function stepOf(rates: ArrayLike<number>): number {
  if (new Set(Array.from(rates)).size > rates.length / 2) return 0;
  const ascending = new Float64Array(rates).sort();
  if (ascending.at(-1) === 0) return 0;
  let step = Number.POSITIVE_INFINITY;
  for (let at = 1; at < ascending.length; at++) {
    const [before = 0, after = 0] = ascending.subarray(at - 1, at + 1);
    const gap = (after - before) / after;
    if (gap > ROUNDING) step = Math.min(step, gap);
  }
  return step;
}
