import type { ComparedResults, NamedCase, OfCommand, SamplePair } from '@bench-cli/results';
import type { Comparison, ComparisonList, Control, MetricList } from './comparison.ts';
import { compareFixed, compareMetrics } from './fixed-method.ts';
import { adaptiveSummaryOf, type SampleSummary, summaryOf } from './sample.ts';
import { compareSequentially } from './sequential/sequential-method.ts';

/** A case of a benchmark that the baseline does not have, so that it is measured and not compared. */
export interface NewCase extends NamedCase, OfCommand {
  readonly subject: string;
  readonly sample: SampleSummary;
}

/** All that is known of a comparison: what was measured, and how it is judged. */
export interface JudgedResults
  extends Pick<ComparedResults, 'names' | 'recordings' | 'pairs' | 'missing' | 'unmatched'> {
  readonly list: ComparisonList;
  readonly metrics: readonly MetricList[];
  readonly newCases: readonly NewCase[];
}

/**
 * Judges results by the method that fits how their number of runs was decided. Commands, files and the programmatic API all make
 * their comparisons here.
 * @throws UsageError as `compareFixed` and `compareSequentially`
 */
export function judgeResults({
  names,
  recordings,
  missing,
  unmatched,
  pairs,
  newPairs,
  metrics,
  control,
  adaptive,
}: ComparedResults): JudgedResults {
  const judged = adaptive === undefined ? compareFixed(pairs) : compareSequentially(adaptive, pairs);
  const summarize = adaptive === undefined ? summaryOf : adaptiveSummaryOf;
  const list = control.length === 0 ? judged : { ...judged, control: controlOf(control) };
  return {
    names,
    recordings,
    missing,
    unmatched,
    pairs,
    list,
    metrics: compareMetrics(metrics),
    newCases: newPairs.flatMap((pair) => {
      const sample = summarize(pair.new, pair);
      return sample === null ? [] : { ...pair, sample };
    }),
  };
}

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
  const size = comparison.isSignificant ? sizeOf(comparison) : null;
  return size !== null && size <= (control?.largest?.size ?? 0);
}

/** How much the larger rate is above the smaller one, a fraction; null if it is not known. */
function sizeOf({ judgement: { ratio } }: Comparison): number | null {
  if (ratio === null || !(ratio.ratio > 0)) return null;
  return Math.max(ratio.ratio, 1 / ratio.ratio) - 1;
}
