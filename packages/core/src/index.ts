/**
 * What a benchmark script imports: `createBenchmark` and its types.
 *
 * Every process of a benchmark loads it before the measured part, so it imports as little as possible. It
 * does not record or compare results: see `@bench-cli/runner`.
 */
export { type Benchmark, PORT } from './benchmark.ts';
export { type BenchmarkOptions, createBenchmark, type Main } from './create-benchmark.ts';
export { BenchmarkError } from './error.ts';
export type { HttpOptions } from './http/bench-http.ts';
export type {
  CpuTime,
  FailureCounts,
  LoadLatency,
  LoadOptions,
  LoadResult,
  LoadUsage,
  Protocol,
  Scheme,
  ServerLoad,
  StatusCounts,
  ToolOptions,
} from './http/load.ts';
export type { MeasureOptions } from './measure.ts';
export type {
  AnyConfiguration,
  ConfigurationOf,
  GroupedConfiguration,
  GroupedParameters,
  Parameters,
  ParameterValue,
} from './parameters.ts';
