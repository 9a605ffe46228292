/**
 * Loads HTTP servers with wrk, autocannon, h2load or other load tools, and gives results of one type. If a result cannot be
 * trusted, there is a `LoadError` and no rate. Importing it starts no process and does not load Node's HTTP modules.
 *
 * It does not start servers, and does not repeat or compare runs (see `@bench-cli/runner`).
 *
 * @packageDocumentation
 */
export type {
  FailureCounts,
  LoadLatency,
  LoadOptions,
  LoadResult,
  Protocol,
  Scheme,
  ServerLoad,
  StatusCounts,
  ToolOptions,
} from '@bench-cli/core';
export { type AutocannonOptions, autocannon, createAutocannon } from './autocannon.ts';
export type { Availability, Benchmarker, RunContext } from './benchmarker.ts';
export { builtInBenchmarkers } from './built-in.ts';
export { type Choice, chooseBenchmarker, loadServer, type ServerLoadContext } from './choose-benchmarker.ts';
export { type BenchmarkerDefinition, defineBenchmarker } from './define-benchmarker.ts';
export { h2load } from './h2load.ts';
export { LoadError, type LoadErrorCode, type LoadErrorDetails } from './load-error.ts';
export type { Amount, LoadRequest, ToolOption } from './load-request.ts';
export type { ToolReport } from './load-result.ts';
export type { TemporaryFiles } from './temporary-files.ts';
export type { InstalledProgram, OwnTool, ToolLocation } from './tool-location.ts';
export type { ToolOutput } from './tool-process.ts';
export { wrk } from './wrk.ts';
