/** For the packages of this repository only. It can change in every version. */
export {
  Bisection,
  type FoundVersions,
  type SearchedVersion,
  type SearchResult,
} from './bisection/bisection.ts';
export type { ChangePoint } from './change-points.ts';
export { type Method, sortComparisons, type Ties, verdictCounts } from './comparison.ts';
export {
  checkPlannedGates,
  fewestPlannedRuns,
  type GatedComparison,
  rateLimits,
  type UnjudgedItem,
} from './gate.ts';
export { ERROR_RATE, isDifference, isWithheld, type JudgementReason } from './judgement.ts';
export { logHalfWidth, methodOf, noiseFloor } from './method.ts';
export { meanOf, medianOf, quantile, sumOf, varianceOf } from './moments.ts';
export { compareParts, type PartDifference, withoutCommonFactor } from './part-difference.ts';
export { fewestRankedRuns, type ParameterRanking, rankParameters } from './ranking.ts';
export { adaptiveSummaryOf, summaryOf } from './sample.ts';
export {
  bestSampling,
  betweenVariance,
  changesRatio,
  leastDifference,
  possibleSamplings,
  type SamplingChoice,
} from './sampling-plan.ts';
export type { ScatterTable } from './scatter.ts';
export { FIRST_LOOK } from './sequential/boundary.ts';
export { FIRST_FORECAST, type Forecast } from './sequential/forecast.ts';
export { expectedSessions } from './sequential/found-change.ts';
export { logRatios } from './sequential/pair-estimate.ts';
export { pairedFamily } from './sequential/paired-runs.ts';
export { checkSequentialOptions, SequentialFamily } from './sequential/sequential-family.ts';
export { type PrecisionJudgement, SequentialPrecision } from './sequential/sequential-precision.ts';
export { criticalT, meanHalfWidth, meanInterval } from './tail.ts';
export { amountWords, type RateWord } from './verdict-word.ts';
export { ASSUMPTION_MESSAGES, SHORT_RUNS_MESSAGE, shortCases } from './warning.ts';
export { halfWidth, welchTest } from './welch.ts';
