/**
 * Loads HTTP servers with wrk, autocannon, h2load or other load tools, and gives results of one type. A
 * result that cannot be trusted is a `LoadError` without a rate. Importing it starts no process and does not
 * load Node's HTTP modules.
 *
 * It does not start servers, and does not repeat or compare runs (see `@bench-cli/runner`).
 *
 * @packageDocumentation
 */
export type { LoadOptions, LoadResult, ServerLoad } from '@bench-cli/core';
export { createAutocannon } from './autocannon.ts';
export type { Availability, Benchmarker } from './benchmarker.ts';
export { builtInBenchmarkers, chooseBenchmarker, loadServer } from './choose-benchmarker.ts';
export { shortageOf } from './cpu-usage.ts';
export { type BenchmarkerDefinition, defineBenchmarker } from './define-benchmarker.ts';
export { LoadError, type LoadErrorCode } from './load-error.ts';
export type { LoadRequest } from './load-request.ts';
export type { ToolReport } from './load-result.ts';
export { LEAST_REACHED, pointsText } from './rate-search.ts';
