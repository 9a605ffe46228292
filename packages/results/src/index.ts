/**
 * The result model: one `Configuration`, one case and its key, samples of rates, and the CSV forms of Node core. A
 * configuration is read once, where it enters; text is made of it only where it is shown.
 *
 * It is not for statistics (`@bench-cli/stats`) and starts no process (`@bench-cli/runner`). Results files are in
 * `@bench-cli/results/recording`.
 *
 * @packageDocumentation
 */
export {
  type Case,
  caseKey,
  caseName,
  caseOfText,
  type NamedCase,
  nameCase,
  parameterOf,
} from './case.ts';
export { comparedRun, type SubjectNames, subjectNames } from './compared.ts';
export { argumentsOf, type Configuration, configurationText, type ParameterValue } from './configuration.ts';
export { type CompareCsv, readCompareCsv } from './csv/compare-csv.ts';
export type { CsvWarning } from './csv/form.ts';
export type { CsvSource } from './csv/scan.ts';
export { readScatterCsv, type ScatterCsv } from './csv/scatter-csv.ts';
export {
  COMPARE_CSV_HEADER,
  compareCsvRow,
  RUN_CSV_HEADER,
  runConfiguration,
  runCsvRow,
  scatterCsvHeader,
  scatterCsvRow,
} from './csv/write.ts';
export { nameOrder } from './name-order.ts';
export {
  type ComparedRun,
  joinMachines,
  type RatePair,
  type Sample,
  type SamplePair,
  type SubjectRole,
  samplePairs,
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
export { type ErrorCode, type InputPosition, UsageError } from './usage-error.ts';
