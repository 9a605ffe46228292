import { type ComparedRun, caseKey } from '@bench-cli/results';
import type { MetricDescription, SucceededRun } from '@bench-cli/results/recording';

/** A metric that runs record without being asked. */
export interface RecordedMetric {
  readonly metric: MetricDescription;
  /** Its values as runs of a comparison. */
  valuesOf(runs: readonly SucceededRun[]): readonly ComparedRun[];
}

const percentiles = { p50: 'p50Ms', p90: 'p90Ms', p99: 'p99Ms', 'p99.9': 'p999Ms' } as const;

/** The percentiles of the latency of loads. Every run of `bench.http()` records those that its load tool reports. */
export const latencyMetrics: readonly RecordedMetric[] = Object.entries(percentiles).map(([name, key]) => ({
  metric: {
    name,
    title: `latency that ${name.slice(1)} % of the answers did not exceed`,
    unit: 'ns',
    better: 'less',
    negligible: 0,
  },
  valuesOf: (runs) => {
    const latencies = runs.flatMap(({ load, ...run }) => (load === undefined ? [] : { run, load }));
    // A tool that counts milliseconds tells nothing about shorter latencies.
    const unknown = new Set(
      latencies.flatMap(({ run, load: { latency } }) =>
        (latency[key] ?? 0) < latency.resolutionMs ? caseKey(run) : [],
      ),
    );
    return latencies.flatMap(({ run: { benchmark, configuration, subject, round }, load: { latency } }) => {
      const rate = (latency[key] ?? 0) * 1e6;
      return unknown.has(caseKey({ benchmark, configuration }))
        ? []
        : { benchmark, configuration, subject, round, rate };
    });
  },
}));
