import { BenchmarkError } from './error.ts';
import type { ReportedValue } from './protocol.ts';

type Reported = Readonly<Record<string, ReportedValue>>;

/** Values that a benchmark reports beside its rate, by name, or a function that computes them after the measured part. */
export type OwnMetrics = Reported | (() => Reported);

/** @throws BenchmarkError for a value that is not a finite number, at least 0 */
export function readOwnMetrics(metrics: OwnMetrics): Reported {
  const reported = typeof metrics === 'function' ? metrics() : metrics;
  for (const [name, { value }] of Object.entries(reported)) {
    if (Number.isFinite(value) && value >= 0) continue;
    throw new BenchmarkError(
      'ERR_BENCH_RESULT',
      `${value} is not a valid value of the metric "${name}": report a finite number, at least 0`,
    );
  }
  return reported;
}
