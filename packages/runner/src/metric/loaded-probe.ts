import { fileURLToPath } from 'node:url';
import type { MetricRequest } from '@bench-cli/results/recording';
import { ownFile } from '../locations.ts';
import { metricsVariable } from './metrics-variable.ts';

/** A file that a process loads before the benchmark, and that measures between `start()` and `end()`. */
export interface LoadedProbe {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

export function metricProbe({ metrics }: MetricRequest): LoadedProbe {
  return {
    file: fileURLToPath(ownFile('metric/probe.cjs')),
    env: { [metricsVariable]: metrics.map(({ name }) => name).join(',') },
  };
}
