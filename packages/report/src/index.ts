/**
 * Shows comparisons: tables, sentences, Markdown and JSON. All functions are pure. `@bench-cli/report/plot`
 * and `@bench-cli/report/page` are separate, because they load more code.
 *
 * This package does not read results (`@bench-cli/results`), compute statistics (`@bench-cli/stats`), or
 * write files.
 * @packageDocumentation
 */
export { comparisonName, tieLetters } from './comparison-name.ts';
export { renderComparison, type TextView } from './comparison-text.ts';
export { failedRunsText, withoutRunText } from './completeness.ts';
export { type Explanation, explanationsOf } from './explanation.ts';
export { bencherJson, exportedRates, exportedRows, githubActionBenchmarkJson } from './export.ts';
export { changeRange, metricText, percent, pValue, rateText, ratioChange } from './figure-text.ts';
export { comparisonJson } from './json/comparison-json.ts';
export { methodLines } from './method-text.ts';
export { type FunctionNotice, noticedFunctions } from './noticed-functions.ts';
export { type RateGroup, rankingEntry, rateGroups, ratesDocument, timesOf } from './rate-groups.ts';
export { undecidedReason } from './reason-text.ts';
export { type Fact, machinesText, measuredVersions, originText, partsText } from './session-facts.ts';
export { summarize, summaryLines } from './summary.ts';
export { renderBarTable } from './table/bar-table.ts';
export { type ChangeRow, renderChanges } from './table/change-table.ts';
export { type ClientRow, renderClientTable } from './table/client-table.ts';
export { renderCompareTable } from './table/compare-table.ts';
export { renderFunctions } from './table/function-table.ts';
export { renderMetricTable } from './table/metric-table.ts';
export { renderExplanation } from './table/part-table.ts';
export { renderRatesTable } from './table/rates-table.ts';
export { renderRunMarkdown, renderRunTable } from './table/run-table.ts';
export { renderScatter } from './table/scatter-table.ts';
export { renderSearch, summarizeSearch } from './table/search-table.ts';
export { prose } from './table/table.ts';
export { warningGroups } from './warning-groups.ts';
