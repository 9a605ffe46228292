/**
 * What a benchmark script imports: `createBenchmark`, and the types of what it takes and gives.
 *
 * It runs in every process of a benchmark, before what is measured, so it loads nothing it does not need. Starting
 * processes, schedules and results are the business of `@bench-cli/core/runner`.
 */
export { type Benchmark, PORT } from './benchmark.ts';
export type { BenchmarkerConfig } from '@bench-cli/benchmarkers';
export { type BenchmarkOptions, createBenchmark, type Main } from './create-benchmark.ts';
export { BenchmarkError } from './error.ts';
export type { HttpOptions } from './http.ts';
export type { MeasureOptions } from './measure.ts';
export type {
  AnyConfiguration,
  Configuration,
  GroupedConfiguration,
  GroupedParameters,
  Parameters,
  ParameterValue,
} from './parameters.ts';
