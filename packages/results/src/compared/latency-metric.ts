import { caseKey } from '../case.ts';
import type { MetricDescription, SucceededRun } from '../recording/line.ts';
import type { ComparedRun } from '../samples.ts';

const percentiles = { p50: 'p50Ms', p90: 'p90Ms', p99: 'p99Ms', 'p99.9': 'p999Ms' } as const;

/** The percentiles of the latency of loads. Every run of `bench.http()` records those that its load tool reports. */
export const latencyMetrics = Object.entries(percentiles).map(([name, key]) => {
  const metric: MetricDescription = {
    name,
    title: `latency that ${name.slice(1)} % of the answers did not exceed`,
    unit: 'ns',
    better: 'less',
    negligible: 0,
  };
  return { metric, valuesOf: (runs: readonly SucceededRun[]) => latencies(runs, name, key) };
});

function latencies(
  runs: readonly SucceededRun[],
  name: string,
  key: (typeof percentiles)[keyof typeof percentiles],
): ComparedRun[] {
  const loads = runs.flatMap(({ load, ...run }) => (load === undefined ? [] : { run, ...load }));
  // A tool that counts milliseconds cannot measure shorter latencies.
  const unknown = new Set(
    loads.flatMap(({ run, latency }) => ((latency[key] ?? 0) < latency.resolutionMs ? caseKey(run) : [])),
  );
  return loads
    .filter(({ run }) => !unknown.has(caseKey(run)))
    .map(({ run, latency }) => ({ ...run, values: { ...run.values, [name]: (latency[key] ?? 0) * 1e6 } }));
}
