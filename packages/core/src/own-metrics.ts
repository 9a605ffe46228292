import { BenchmarkError } from './error.ts';
import type { ReportedValue } from './protocol.ts';

type Reported = Readonly<Record<string, ReportedValue>>;

/** Values beside the rate, by name, or a function that computes them after the measured part. */
export type OwnMetrics = Reported | (() => Reported);

/** @throws BenchmarkError for metrics without a description, and unless a value is finite and at least 0 */
export function readOwnMetrics(metrics: OwnMetrics): Reported {
  const reported: unknown = typeof metrics === 'function' ? metrics() : metrics;
  if (!isRecord(reported))
    throw invalid(`${reported} is not a record of metrics`, '{ NAME: { value: 1, better: "less" } }');
  const read = new Map<string, ReportedValue>();
  for (const [name, metric] of Object.entries(reported)) {
    if (name === '__proto__')
      throw invalid('a metric has the reserved name "__proto__"', 'it by another name');
    if (!isRecord(metric) || (metric['better'] !== 'less' && metric['better'] !== 'more')) {
      const value = isRecord(metric) ? metric['value'] : metric;
      throw invalid(
        `the metric "${name}" does not say whether less or more of it is better`,
        `{ ${name}: { value: ${value}, better: "less" } }`,
      );
    }
    const { value, better } = metric;
    if (typeof value !== 'number' || !(value >= 0) || value === Number.POSITIVE_INFINITY)
      throw invalid(`${value} is not a valid value of the metric "${name}"`, 'a finite number, at least 0');
    read.set(name, { ...metric, value, better });
  }
  return Object.fromEntries(read);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function invalid(problem: string, expected: string): BenchmarkError {
  return new BenchmarkError('ERR_BENCH_RESULT', `${problem}: report ${expected}`);
}
