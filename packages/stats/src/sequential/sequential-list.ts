import type { SamplePair } from '../comparison-list.ts';
import { warningGroups } from '../comparison-list.ts';
import { compareInDetail, type DetailedComparison, type DetailedList } from '../detailed-comparison.ts';
import type { SequentialJudgement } from './sequential-comparison.ts';

/** Runs that were judged while they came in, with what they were judged by. */
export interface SequentialResults {
  readonly judgementOf: (pair: Pick<SamplePair, 'benchmark' | 'configuration'>) => SequentialJudgement | null;
  /** The share of false verdicts that was accepted. */
  readonly errorRate: number;
}

/**
 * Lists comparisons whose number of runs was decided by the runs. Tests and intervals for a fixed number of runs do not
 * hold for them, so verdict, ratio and p-values are those of the judgement, and what has no sequential form is left out.
 *
 * @throws StatsInputError as `compareSamples` does
 */
export function listSequentially(
  pairs: Iterable<SamplePair>,
  { judgementOf, errorRate }: SequentialResults,
): DetailedList {
  const list = compareInDetail(pairs);
  const comparisons = list.comparisons.map((comparison) => judged(comparison, judgementOf(comparison)));
  const isFound = ({ sequential }: DetailedComparison) => (sequential?.p ?? 1) <= errorRate;
  return {
    ...list,
    comparisons,
    warnings: warningGroups(comparisons),
    errorRate,
    discoveries: {
      tested: comparisons.filter(({ ratio }) => ratio !== null).length,
      found: comparisons.filter(isFound).length,
      survive: comparisons.filter(({ verdict }) => verdict === 'faster' || verdict === 'slower').length,
    },
  };
}

function judged(comparison: DetailedComparison, sequential: SequentialJudgement | null): DetailedComparison {
  return {
    ...comparison,
    sequential,
    verdict: sequential?.verdict ?? 'undecided',
    ratio: sequential?.ratio ?? null,
    improvement: sequential?.ratio == null ? comparison.improvement : sequential.ratio.ratio - 1,
    adjustedP: sequential?.adjustedP ?? null,
    test: { kind: 'none' },
    stars: '',
    accuracy: null,
    rankTest: null,
    // Few runs are what this is for.
    assumptions: comparison.assumptions.filter(({ kind }) => kind !== 'few-runs'),
    warnings: comparison.warnings.filter(({ kind }) => kind !== 'few-runs' && kind !== 'too-few-runs'),
  };
}
