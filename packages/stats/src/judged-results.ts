import type { ComparedResults, NamedCase } from '@bench-cli/results';
import {
  type ComparisonList,
  type ComparisonOrder,
  compareFixed,
  compareMetrics,
  compareSequentially,
  type MetricList,
  sortComparisons,
  withComparisons,
} from './comparison.ts';
import { controlOf } from './control.ts';
import type { Correction } from './correction.ts';
import { type SampleSummary, summarizeSample } from './sample.ts';

/** A case of a benchmark that the baseline does not have, so that it is measured and not compared. */
export interface NewCase extends NamedCase {
  readonly subject: string;
  readonly sample: SampleSummary;
}

/** All that is known of a comparison: what was measured, and how it is judged. */
export interface JudgedResults extends Pick<ComparedResults, 'names' | 'recordings' | 'pairs'> {
  readonly list: ComparisonList;
  readonly metrics: readonly MetricList[];
  readonly newCases: readonly NewCase[];
}

/**
 * Judges results by the method that fits how their number of runs was decided. Commands, files and the programmatic API all make
 * their comparisons here.
 * @throws UsageError as `compareFixed` and `compareSequentially`
 */
export function judgeResults(
  { names, recordings, pairs, newPairs, metrics, control, adaptive }: ComparedResults,
  {
    correction,
    sort = 'name',
  }: { readonly correction?: Correction | undefined; readonly sort?: ComparisonOrder | undefined } = {},
): JudgedResults {
  const judged =
    adaptive === undefined
      ? compareFixed(pairs, {}, correction)
      : compareSequentially(adaptive, pairs, correction);
  const sorted = withComparisons(judged, (comparisons) => sortComparisons(comparisons, sort));
  const list = control.length === 0 ? sorted : { ...sorted, control: controlOf(control) };
  return {
    names,
    recordings,
    pairs,
    list,
    metrics: compareMetrics(metrics, list.correction),
    newCases: newPairs.map((pair) => ({ ...pair, sample: summarizeSample(pair.new) })),
  };
}
