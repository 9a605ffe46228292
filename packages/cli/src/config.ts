import type { ClientConfig } from '@bench-cli/cluster-server';
import type { BenchmarkerConfig } from '@bench-cli/runner';

/**
 * The default export of `bench-cli.config.ts` (or .mts, .js, .mjs). `bench.http()` reads the nearest such file above the
 * benchmark, `bench-cli clients` the nearest one above the working directory.
 *
 * @example
 * export default { benchmarkers: [curl] } satisfies Config;
 */
export interface Config extends BenchmarkerConfig, ClientConfig {}
