/**
 * Statistics of benchmark results: judgements of samples of rates, with intervals, tests, corrections for many comparisons,
 * and the rules that stop adaptive runs. All functions are pure, and their figures agree with R's.
 *
 * It does not read files (`@bench-cli/results`) or render results (`@bench-cli/report`), and it is not a general statistics
 * library: it has only the methods that benchmark rates need.
 *
 * @packageDocumentation
 */
export { type AssumptionFailure, examineSample, quantile } from './assumption.ts';
export { Bisection, type VersionEvidence } from './bisection/bisection.ts';
export type { FoundVersions, SearchedVersion, SearchResult } from './bisection/search-result.ts';
export { type ChangePoint, type ChangePointOptions, changePoints } from './change-points.ts';
export {
  type Comparison,
  type ComparisonList,
  type ComparisonOrder,
  compareFixed,
  compareMetrics,
  compareSequentially,
  type FixedList,
  type MetricList,
  type SequentialList,
  sortComparisons,
  type Ties,
} from './comparison.ts';
export { withStartUp } from './comparison-start-up.ts';
export { type Complexity, categoryComplexities } from './complexity.ts';
export { judgeFixed } from './fixed-judgement.ts';
export {
  applyGates,
  checkGates,
  checkPlannedGates,
  type Gate,
  type GatedComparison,
  parseGate,
} from './gate.ts';
export { type GateOutcome, judgeGates, type UnjudgedItem } from './gate-outcome.ts';
export { type MeanRatio, meanRatio, verdictCounts } from './group.ts';
export { type JudgedResults, judgeResults, type NewCase } from './judged-results.ts';
export {
  type Judgement,
  methods,
  type SequentialJudgement,
  type StopReason,
  type Verdict,
} from './judgement.ts';
export { compareParts, type PartDifference, type PartRuns, withoutCommonFactor } from './part-difference.ts';
export { type RankedValue, rankValues } from './ranking.ts';
export type { RatioInterval } from './ratio.ts';
export { type SampleSummary, summarizeSample } from './sample.ts';
export { type ScatterTable, scatterTable } from './scatter.ts';
export { FIRST_LOOK } from './sequential/boundary.ts';
export { PairedRuns } from './sequential/paired-runs.ts';
export {
  checkSequentialOptions,
  SequentialFamily,
  type SequentialOptions,
} from './sequential/sequential-family.ts';
export { type PrecisionJudgement, SequentialPrecision } from './sequential/sequential-precision.ts';
export { type MeasuredStartUp, meanOfCases } from './start-up.ts';
export { criticalT, meanHalfWidth } from './student-t.ts';
export { tiedGroups } from './ties.ts';
export { amountWords, type RateWord, rateWords, verdictWord } from './verdict-word.ts';
export { ASSUMPTION_MESSAGES, type ComparisonWarning } from './warning.ts';
