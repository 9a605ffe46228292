/**
 * The result model: configurations, cases and their keys, samples of rates, and the CSV forms of Node core. A configuration
 * is read once, where it enters; it becomes text only where it is shown.
 *
 * It is not for statistics (`@bench-cli/stats`), and it starts no process (`@bench-cli/runner`). Results files are in
 * `@bench-cli/results/recording`.
 *
 * @packageDocumentation
 */
export {
  alternativeOf,
  type Case,
  caseCount,
  caseKey,
  caseName,
  caseOfText,
  isOfFile,
  type NamedCase,
  nameCase,
  nameInFile,
  samplesByGroup,
  TASK,
} from './case.ts';
export {
  type AdaptiveSession,
  type ComparedResults,
  comparedResults,
  comparedRuns,
  csvResults,
  FIRST_LOOK,
  joinResults,
  type MachineResults,
  type MetricPairs,
  resultsWhere,
} from './compared/compared-results.ts';
export { type MissingResult, missingResults } from './compared/missing-result.ts';
export { isBuiltIn, latencyMetrics, ReportedMetrics, reportedMetrics } from './compared/reported-metric.ts';
export { argumentsOf, type Configuration, type ParameterValue } from './configuration.ts';
export { visibleControls } from './control-characters.ts';
export { counted } from './counted.ts';
export { readCompareCsv } from './csv/compare-csv.ts';
export { readScatterCsv } from './csv/scatter-csv.ts';
export {
  compareCsvLines,
  RUN_CSV_HEADER,
  runConfiguration,
  runCsvRow,
  scatterCsvHeader,
  scatterCsvRow,
} from './csv/write.ts';
export { makeDirectory } from './make-directory.ts';
export { nameOrder, textOrder } from './name-order.ts';
export {
  allPairs,
  type CaseSample,
  type ComparedRun,
  comparisonKey,
  joinMachines,
  otherSamplePairs,
  pairsWithBaseline,
  type RatePair,
  type Sample,
  type SamplePair,
  type SubjectPair,
  type SubjectRole,
  samplePairs,
  samplesOf,
} from './samples.ts';
export {
  type CaseGroup,
  type Condition,
  casesWhere,
  groupCases,
  parseCondition,
  requireParameters,
  valueOrder,
} from './select.ts';
export {
  countParameter,
  mainThread,
  START_UP_FACTOR,
  START_UP_RUNS,
  withManyOperations,
} from './start-up.ts';
export {
  HIDDEN_VALUE,
  runtimeText,
  type SubjectNames,
  subjectDetails,
  subjectNames,
  subjectText,
  subjectTitles,
} from './subject-names.ts';
export { UsageError } from './usage-error.ts';
