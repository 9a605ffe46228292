/**
 * Statistics of benchmark results: it reads the CSV forms of Node core's benchmark scripts, summarizes and
 * compares samples of rates, and renders the tables that Node core needs R for. All of it is pure functions over
 * plain data, whose figures agree with R's.
 *
 * It is not for running benchmarks (that is `@bench-cli/core`), it does not print, colour or open files, and it
 * is no statistics library: it holds the few methods that benchmark rates need.
 *
 * @packageDocumentation
 */
export { type AssumptionFailure, examineSample, FEW_RUNS, kendall, quantile } from './assumption.ts';
export { type ComparedRun, judgePairs, samplePairs } from './compared-runs.ts';
export {
  type Accuracy,
  type CompareOptions,
  type Comparison,
  type ComparisonWarning,
  compareSamples,
  DEFAULT_MARGIN,
  type Stars,
  type SubjectRole,
  type Verdict,
} from './comparison.ts';
export {
  type ComparisonList,
  compareAll,
  comparisonName,
  type FalsePositives,
  type NamedComparison,
  type SamplePair,
  type WarningGroup,
} from './comparison-list.ts';
export {
  type Complexity,
  type ComplexityFit,
  type ComplexityModel,
  categoryComplexities,
  complexityModels,
  fitComplexity,
  type TimePoint,
} from './complexity.ts';
export { type Parameters, parameterValue, parseConfiguration } from '@bench-cli/results';
export { type CompareCsv, readCompareCsv } from '@bench-cli/results';
export type { RowCount } from '@bench-cli/results';
export { type RunCsv, type RunSample, readRunCsv } from '@bench-cli/results';
export { readScatterCsv, type ScatterCsv } from '@bench-cli/results';
export type { CsvSource } from '@bench-cli/results';
export type { CsvWarning } from '@bench-cli/results';
export {
  COMPARE_CSV_HEADER,
  type ConfigurationEntries,
  type CsvRun,
  compareConfiguration,
  compareCsvRow,
  RUN_CSV_HEADER,
  runConfiguration,
  runCsvRow,
  type SubjectCsvRun,
  scatterCsvHeader,
  scatterCsvRow,
} from '@bench-cli/results';
export {
  compareInDetail,
  type DetailedComparison,
  type DetailedList,
  type Discoveries,
} from './detailed-comparison.ts';
export { hedgesG, hedgesGWithinMachines } from './effect-size.ts';
export { adjustForDiscoveries } from './false-discovery.ts';
export { applyGates, type Gate, type GateResult, parseGate } from './gate.ts';
export { type ComparisonGroup, groupComparisons, meanRatio, verdictCounts } from './group.ts';
export { type InputPosition, StatsInputError } from './input-error.ts';
export { type MachineSamples, type MachineSummary, summarizeMachines } from './machine.ts';
export { compareWithinMachines } from './machine-comparison.ts';
export { mannWhitneyTest, type RankTest } from './mann-whitney.ts';
export { type RatioInterval, ratioInterval } from './ratio.ts';
export { type SampleSummary, summarizeSample } from './sample.ts';
export {
  type ParameterValue,
  type ScatterCell,
  type ScatterSample,
  type ScatterTable,
  scatterTable,
} from './scatter.ts';
export { FIRST_LOOK, SequentialBoundary } from './sequential/boundary.ts';
export { crossingProbability, type Look } from './sequential/crossing.ts';
export {
  estimatePairs,
  type PairEstimate,
  type PairedRates,
  pairHalfWidth,
  pairP,
} from './sequential/pair-estimate.ts';
export { judgeRuns, PairedRuns, type RoundRun } from './sequential/paired-runs.ts';
export type {
  SequentialJudgement,
  SequentialRatio,
  StopReason,
} from './sequential/sequential-comparison.ts';
export {
  checkSequentialOptions,
  DEFAULT_ERROR_RATE,
  DEFAULT_MAX_RUNS,
  DEFAULT_SEQUENTIAL_MARGIN,
  SequentialFamily,
  type SequentialOptions,
} from './sequential/sequential-family.ts';
export { listSequentially, type SequentialResults } from './sequential/sequential-list.ts';
export { type PrecisionJudgement, SequentialPrecision } from './sequential/sequential-precision.ts';
export { type ComparisonOrder, comparisonOrders, sortComparisons } from './sort.ts';
export { meanHalfWidth, rateText, renderBarTable } from '@bench-cli/report';
export { renderCompareMarkdown, renderSequentialMarkdown } from '@bench-cli/report';
export { type CompareTableOptions, type ExtraColumn, renderCompareTable } from '@bench-cli/report';
export { modelText, renderComplexityTable } from '@bench-cli/report';
export {
  type DetailColumn,
  type DetailColumnText,
  detailColumn,
  detailColumns,
  pValue,
} from '@bench-cli/report';
export { renderGroupTable } from '@bench-cli/report';
export type { CompareCell, PaintCompareCell } from '@bench-cli/report';
export { renderScatterTable } from '@bench-cli/report';
export { reasonText, renderSequentialTable, stopTexts } from '@bench-cli/report';
export { vanElterenTest } from './van-elteren.ts';
export { type SubjectNames, summarize } from '@bench-cli/report';
export { halfWidth, type MadeTest, type TestResult, welchTest } from './welch.ts';
export {
  type Condition,
  pairsWhere,
  parseCondition,
  requireParameterNames,
  samplesWhere,
} from '@bench-cli/results';
