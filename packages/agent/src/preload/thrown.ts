// The loader of Node core's benchmarks loads this file when a benchmark has thrown.
export { describe } from '@bench-cli/core/other-tools';
