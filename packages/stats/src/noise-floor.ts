import type { Comparison, ComparisonList } from './comparison.ts';
import type { Judgement } from './judgement.ts';
import { medianOf } from './moments.ts';

/**
 * The smallest differences that the runs of a session can find, as fractions of a rate: in half of the comparisons, and in the noisiest
 * one. Null if no comparison tells it.
 *
 * Method: half the width of the interval of each log ratio. A true difference of that size is found in about half of such sessions, and
 * in fewer after the correction for the number of comparisons. Adaptive runs end with the first difference that they find: their
 * intervals say nothing about smaller ones, and do not count.
 */
export function noiseFloor(list: ComparisonList) {
  const isFound = ({ verdict }: Comparison) => verdict === 'higher' || verdict === 'lower';
  const widths = list.comparisons.flatMap((each) =>
    list.kind === 'sequential' && isFound(each) ? [] : (logHalfWidth(each.judgement) ?? []),
  );
  if (widths.length === 0) return null;
  return { median: Math.expm1(medianOf(widths)), largest: Math.expm1(Math.max(...widths)) };
}

/** Half the width of the interval of a log ratio; null without an interval, or if that is unlimited. */
export function logHalfWidth({ ratio }: Pick<Judgement, 'ratio'>): number | null {
  if (ratio === null || ratio.low <= 0 || !Number.isFinite(ratio.high)) return null;
  return Math.log(ratio.high / ratio.low) / 2;
}
