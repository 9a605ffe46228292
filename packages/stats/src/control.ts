import type { SamplePair } from '@bench-cli/results';
import { type Comparison, type ComparisonList, type Control, compareFixed } from './comparison.ts';

/** Compares the first runs of the baseline with those of its control. */
export function controlOf(pairs: readonly SamplePair[]): Control {
  let largest: Control['largest'] = null;
  for (const comparison of compareFixed(pairs).comparisons) {
    const size = sizeOf(comparison);
    if (size !== null && size >= (largest?.size ?? 0)) largest = { comparison, size };
  }
  return { configurations: pairs.length, largest };
}

/** Whether a difference was found that is not larger than one that the control showed, where nothing differs. */
export function isWithinControl(
  comparison: Comparison,
  { control }: Pick<ComparisonList, 'control'>,
): boolean {
  const size = comparison.survives ? sizeOf(comparison) : null;
  return size !== null && size <= (control?.largest?.size ?? 0);
}

/** How much the larger rate is above the smaller one, a fraction; null if it is not known. */
function sizeOf({ judgement: { ratio } }: Comparison): number | null {
  if (ratio === null || !(ratio.ratio > 0)) return null;
  return Math.max(ratio.ratio, 1 / ratio.ratio) - 1;
}
