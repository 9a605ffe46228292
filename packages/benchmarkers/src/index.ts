/**
 * Loads HTTP servers with wrk, autocannon, h2load, or a tool of the user's own, and gives results of one type. A run that
 * cannot be trusted is a `LoadError`, never a rate.
 *
 * It is loaded inside the process of a benchmark, before what is measured: importing it starts nothing and loads no
 * library. It is not for starting servers, and not for repeating or comparing runs (`@bench-cli/core`).
 *
 * @packageDocumentation
 */
export type { ServerLoad, LoadOptions, ToolOptions, FailureCounts, LoadLatency, LoadResult, StatusCounts, Protocol, Scheme } from '@bench-cli/core';
export { type AutocannonOptions, autocannon, createAutocannon } from './autocannon.ts';
export type { Availability, Benchmarker, RunContext } from './benchmarker.ts';
export { builtInBenchmarkers } from './built-in.ts';
export { type Choice, chooseBenchmarker, loadServer, type ServerLoadContext } from './choose-benchmarker.ts';
export { type BenchmarkerDefinition, defineBenchmarker } from './define-benchmarker.ts';
export { h2load } from './h2load.ts';
export { LoadError, type LoadErrorDetails, type LoadErrorKind } from './load-error.ts';
export type { Amount, LoadRequest, ToolOption } from './load-options.ts';
export type { ToolReport } from './load-result.ts';
export type { TemporaryFiles } from './temporary-files.ts';
export { testDoubleHttp } from './test-double-http.ts';
export { testDoubleHttp2 } from './test-double-http2.ts';
export { testDoubleHttps } from './test-double-https.ts';
export type { InstalledProgram, OwnTool, ToolLocation } from './tool-location.ts';
export type { ToolOutput } from './tool-process.ts';
export { wrk } from './wrk.ts';
