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
export { type Parameters, parameterValue, parseConfiguration } from './configuration.ts';
export { type CompareCsv, readCompareCsv } from './csv/compare-csv.ts';
export type { RowCount } from './csv/form.ts';
export { type RunCsv, type RunSample, readRunCsv } from './csv/run-csv.ts';
export { readScatterCsv, type ScatterCsv } from './csv/scatter-csv.ts';
export type { CsvSource } from './csv/source.ts';
export type { CsvWarning } from './csv/warning.ts';
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
} from './csv/write.ts';
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
export { meanHalfWidth, rateText, renderBarTable } from './table/bar-table.ts';
export { renderCompareMarkdown, renderSequentialMarkdown } from './table/compare-markdown.ts';
export { type CompareTableOptions, type ExtraColumn, renderCompareTable } from './table/compare-table.ts';
export { modelText, renderComplexityTable } from './table/complexity-table.ts';
export {
  type DetailColumn,
  type DetailColumnText,
  detailColumn,
  detailColumns,
  pValue,
} from './table/detail-column.ts';
export { renderGroupTable } from './table/group-table.ts';
export type { CompareCell, PaintCompareCell } from './table/paint.ts';
export { renderScatterTable } from './table/scatter-table.ts';
export { reasonText, renderSequentialTable, stopTexts } from './table/sequential-table.ts';
export { vanElterenTest } from './van-elteren.ts';
export { type SubjectNames, summarize } from './verdict-sentence.ts';
export { halfWidth, type MadeTest, type TestResult, welchTest } from './welch.ts';
export {
  type Condition,
  pairsWhere,
  parseCondition,
  requireParameterNames,
  samplesWhere,
} from './where.ts';
