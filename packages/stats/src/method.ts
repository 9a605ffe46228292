import type { ComparisonList, Method } from './comparison.ts';
import { fixedMethod } from './fixed-method.ts';
import { medianOf } from './moments.ts';
import type { RatioInterval } from './ratio.ts';
import { sequentialMethod } from './sequential/sequential-method.ts';

/** The method of a list. No other code of this package tells methods apart. */
export function methodOf(list: ComparisonList): Method {
  return list.kind === 'fixed' ? fixedMethod : sequentialMethod(list);
}

/**
 * The smallest differences that the runs of a session can find, as fractions of a rate: in half of the
 * comparisons, and in the noisiest one. Null if no comparison has an interval of its noise.
 * Method: half the width of the interval of each log ratio. A fixed number of runs finds a true difference of
 * this size in a little less than half of the sessions, and less often after the correction. Most adaptive
 * sessions find it, because they continue while undecided.
 */
export function noiseFloor(list: ComparisonList) {
  const method = methodOf(list);
  const widths = list.comparisons.flatMap((each) => logHalfWidth(method.noiseOf(each)) ?? []);
  if (widths.length === 0) return null;
  return { median: Math.expm1(medianOf(widths)), largest: Math.expm1(Math.max(...widths)) };
}

/** Half the width of the interval of a log ratio. Ignores an end at 1, to which intervals are extended. */
export function logHalfWidth(ratio: RatioInterval | null): number | null {
  if (ratio === null || ratio.low <= 0 || !Number.isFinite(ratio.high)) return null;
  const [below, above] = [Math.log(ratio.ratio / ratio.low), Math.log(ratio.high / ratio.ratio)];
  if (ratio.low === 1) return above;
  return ratio.high === 1 ? below : (below + above) / 2;
}
