import type { Benchmarker } from '@bench-cli/benchmarkers';
import type { ClientConfig } from '@bench-cli/cluster-server';
import type { ConfigDefaults } from '@bench-cli/results/settings';

/**
 * The default export of `bench-cli.config.ts` (or .mts, .js, .mjs). Commands read the nearest such file above
 * the working directory, and `bench.http()` the nearest one above the benchmark.
 *
 * @example
 * export default { defaults: { prepare: 'npm ci && npm run build', margin: 0.01 } } satisfies Config;
 */
export interface Config extends ClientConfig {
  /** Additional benchmarkers. One with the name of a built-in benchmarker replaces it. */
  readonly benchmarkers?: readonly Benchmarker[];
  readonly defaults?: ConfigDefaults;
}
