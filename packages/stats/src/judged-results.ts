import type { ComparedResults, NamedCase, OfCommand } from '@bench-cli/results';
import type { ComparisonList, MetricList } from './comparison.ts';
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
  adaptive,
}: ComparedResults): JudgedResults {
  const summarize = adaptive === undefined ? summaryOf : adaptiveSummaryOf;
  return {
    names,
    recordings,
    missing,
    unmatched,
    pairs,
    list: adaptive === undefined ? compareFixed(pairs) : compareSequentially(adaptive, pairs),
    metrics: compareMetrics(metrics),
    newCases: newPairs.flatMap((pair) => {
      const sample = summarize(pair.new, pair);
      return sample === null ? [] : { ...pair, sample };
    }),
  };
}
