// Loaded by the loader of Node core's benchmarks, which is not bundled, when one of them has thrown.
export { describe } from '@bench-cli/core/other-tools';
