import { ownPath } from '../locations.ts';
import { orderFor } from '../order.ts';

/** A file that a process loads before the benchmark, and that measures between `start()` and `end()`. */
export interface LoadedProbe {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

export function metricProbe(names: readonly string[]): LoadedProbe {
  return {
    file: ownPath('metric/probe.cjs'),
    env: orderFor('BENCH_CLI_METRICS', names),
  };
}
