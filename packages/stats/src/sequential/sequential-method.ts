import { type AdaptiveSession, caseKey, comparisonKey, type SamplePair } from '@bench-cli/results';
import {
  type Comparison,
  comparisonOf,
  comparisonsOf,
  type JudgedPairs,
  type Method,
  riskOfBounds,
  type SequentialList,
} from '../comparison.ts';
import { isDifference } from '../judgement.ts';
import { geometricMean } from '../moments.ts';
import { adaptiveSummaryOf, summariesOf } from '../sample.ts';
import { missingSubjects } from '../warning.ts';
import { boundaryFor } from './boundary.ts';
import { judgeRuns } from './paired-runs.ts';
import { sequentialP, sequentialRatio } from './sequential-comparison.ts';
import { checkSequentialOptions, type SequentialFamily } from './sequential-family.ts';

/**
 * Judges adaptive runs as during their session.
 * @param pairs the samples to list, of each subject with the baseline; all runs count for the judgement,
 * listed or not
 * @throws UsageError as `SequentialFamily`
 */
export function compareSequentially(
  { runs, subjects, options, cases, isEnded = false }: AdaptiveSession,
  pairs: Iterable<SamplePair>,
): SequentialList {
  const { margin, maxRuns } = checkSequentialOptions(options);
  const keyed = runs.map(({ values, ...run }) => ({ ...run, rate: values.rate, key: caseKey(run) }));
  const { withBaseline, ofOthers } = judgeRuns(keyed, subjects, options, cases);
  const judge = (listed: readonly SamplePair[], areOthers: boolean) =>
    judgePairs(listed, areOthers ? ofOthers : withBaseline, margin, isEnded);
  const { extendedFrom } = options;
  return { kind: 'sequential', maxRuns, extendedFrom, ...comparisonsOf(judge, pairs, margin) };
}

export function sequentialMethod({ maxRuns, extendedFrom }: SequentialList): Method {
  return {
    meanRatioText:
      'geometric means of the ratios and of the ends of their intervals (95 % or more, 90 % for no difference)',
    moreRunsAdvice:
      'adaptive runs continue for the --fail-on of compare itself, up to --max-runs: measure with it, or with more --max-runs',
    pBeyond: (comparison, limit) =>
      comparison.ratio && sequentialP(comparison, limit, boundaryFor(maxRuns, extendedFrom)),
    meanRatio,
    // Adaptive runs end with the first difference found, whose interval does not show smaller differences.
    noiseOf: ({ verdict, ratio }) => (isDifference(verdict) ? null : ratio),
    // Student's interval does not hold for samples whose size depends on their values.
    meanHalfWidth: () => null,
  };
}

function judgePairs(
  pairs: readonly SamplePair[],
  family: SequentialFamily,
  margin: number,
  isEnded: boolean,
): JudgedPairs {
  const isDiscovery = (key: string) => isDifference(family.judgement(key).verdict);
  // Cases that are not listed count, so that a comparison has the same bound in each list of its session.
  const risk = riskOfBounds(family.keys.filter(isDiscovery).length, family.size);
  const comparisons = pairs.map((pair) => {
    const key = comparisonKey(pair);
    const judgement = family.judgement(key);
    const sides = summariesOf(pair, adaptiveSummaryOf);
    return comparisonOf(
      pair,
      {
        ...{ ...judgement, ...sides },
        reason: judgement.reason ?? lackOf(pair, isEnded),
        isFound: family.isFound(key),
        bounded: isDifference(judgement.verdict) ? sequentialRatio(judgement, risk, family.boundary) : null,
        warnings: missingSubjects({ ...pair, ...sides }),
        // Adaptive runs are few on purpose.
        checksFewRuns: false,
      },
      margin,
    );
  });
  return {
    comparisons,
    tested: comparisons.filter(({ ratio }) => ratio !== null).length,
    corrected: family.size,
  };
}

/** Why a session left a case open. */
function lackOf({ failed }: SamplePair, isEnded: boolean) {
  if (!isEnded) return 'interrupted';
  return failed === undefined ? 'out-of-time' : 'failed-runs';
}

/** The geometric means of the intervals' ends, which are valid at any run. This is wider than necessary. */
function meanRatio(comparisons: readonly Comparison[]) {
  const ratios = comparisons.flatMap(({ ratio }) => ratio ?? []);
  if (ratios.length === 0 || ratios.length < comparisons.length) return null;
  return {
    ratio: geometricMean(ratios.map(({ ratio }) => ratio)),
    low: geometricMean(ratios.map(({ low }) => low)),
    high: geometricMean(ratios.map(({ high }) => high)),
  };
}
