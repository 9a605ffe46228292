/**
 * The result model: configurations, cases and their keys, samples of rates, and the CSV forms of Node core. A
 * configuration is parsed once, at input, and becomes text only for display.
 *
 * This package does not compute statistics (`@bench-cli/stats`) or start processes (`@bench-cli/runner`).
 * Results files are in `@bench-cli/results/recording`.
 * @packageDocumentation
 */
export * from './called-command.ts';
export * from './case.ts';
export * from './compared/compared-results.ts';
export * from './compared/missing-result.ts';
export * from './compared/reported-metric.ts';
export * from './compared/unmatched-benchmark.ts';
export {
  argumentsOf,
  type Configuration,
  ownValue,
  type ParameterValue,
  shownArguments,
} from './configuration.ts';
export { readCompareCsv } from './csv/compare-csv.ts';
export { readScatterCsv } from './csv/scatter-csv.ts';
export * from './csv/write.ts';
export { isEmptyOperation } from './empty-operation.ts';
export { shownIn } from './foreign-text.ts';
export { makeDirectory } from './make-directory.ts';
export { nameOrder, textOrder } from './name-order.ts';
export { printedOutput, printedWarnings } from './printed-output.ts';
export * from './profiles.ts';
export * from './recording/guarantee.ts';
export { drawn } from './recording/run-order.ts';
export { adaptiveRuns, mostRuns } from './recording/run-rule.ts';
export * from './samples.ts';
export * from './select.ts';
export { counted, shortened, shortenedApart, shortList } from './short-text.ts';
export { skippedBenchmarks } from './skipped-benchmarks.ts';
export * from './subject-names.ts';
export { suggestion } from './suggestion.ts';
export { cutAt, displayWidth, wrapped } from './terminal-columns.ts';
export { rateWithin } from './trace.ts';
export { checkTrusted, TRUST_VARIABLE } from './trust.ts';
export { UsageError } from './usage-error.ts';
