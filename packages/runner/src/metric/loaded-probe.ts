import { fileURLToPath } from 'node:url';
import { ownFile } from '../locations.ts';
import { metricsVariable } from './metrics-variable.ts';

/** A file that a process loads before the benchmark, and that measures between `start()` and `end()`. */
export interface LoadedProbe {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

/** @param names of metrics */
export function metricProbe(names: readonly string[]): LoadedProbe {
  return {
    file: fileURLToPath(ownFile('metric/probe.cjs')),
    env: { [metricsVariable]: names.join(',') },
  };
}
