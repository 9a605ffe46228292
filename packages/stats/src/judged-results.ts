import { type ComparedResults, mostRuns, type NamedCase, type OfCommand } from '@bench-cli/results';
import type { ComparisonList, MetricList } from './comparison.ts';
import { compareFixed, compareMetrics } from './fixed-method.ts';
import { adaptiveSummaryOf, type SampleSummary, summaryOf } from './sample.ts';
import { compareSequentially } from './sequential/sequential-method.ts';

/** A measured case that the baseline lacks, so that it is not compared. */
export interface NewCase extends NamedCase, OfCommand {
  readonly subject: string;
  readonly sample: SampleSummary;
}

/** All results of a comparison: measured values and judgements. */
export interface JudgedResults
  extends Pick<ComparedResults, 'names' | 'recordings' | 'pairs' | 'missing' | 'unmatched'> {
  readonly list: ComparisonList;
  readonly metrics: readonly MetricList[];
  readonly newCases: readonly NewCase[];
}

/**
 * Judges results by the method of their session: a fixed or an adaptive number of runs. Commands, files and
 * the programmatic API make all comparisons here.
 * @throws UsageError as `compareFixed` and `compareSequentially`
 */
export function judgeResults({ newPairs, metrics, adaptive, ...results }: ComparedResults): JudgedResults {
  const summarize = adaptive === undefined ? summaryOf : adaptiveSummaryOf;
  const open = results.recordings.find(({ ended }) => !ended);
  const plannedRuns = open && mostRuns(open.session.request.runs);
  return {
    ...results,
    list:
      adaptive === undefined
        ? compareFixed(results.pairs, { plannedRuns })
        : compareSequentially(adaptive, results.pairs),
    metrics: compareMetrics(metrics),
    newCases: newPairs.flatMap((pair) => {
      const sample = summarize(pair.new, pair);
      return sample === null ? [] : { ...pair, sample };
    }),
  };
}
