import { isDeepStrictEqual } from 'node:util';
import { caseKey } from '../case.ts';
import type { MetricDescription, SucceededRun } from '../recording/line.ts';
import type { ComparedRun } from '../samples.ts';
import { eventNames, metricNames } from '../settings/settings.ts';
import { UsageError } from '../usage-error.ts';

const percentiles = { p50: 'p50Ms', p90: 'p90Ms', p99: 'p99Ms', 'p99.9': 'p999Ms' } as const;

/** The percentiles of latency, which runs of `bench.http()` record if their load tool reports them. */
export const latencyMetrics = Object.entries(percentiles).map(([name, key]) => {
  const metric: MetricDescription = {
    name,
    title: `latency that ${name.slice(1)} % of the answers did not exceed`,
    unit: 'ns',
    better: 'less',
    negligible: 0,
  };
  const valuesOf = (runs: readonly SucceededRun[]): ComparedRun[] => {
    const loads = runs.flatMap(({ load, ...run }) => (load === undefined ? [] : { run, ...load }));
    // A tool that counts whole milliseconds reports 0 for shorter latencies.
    const unknown = new Set(loads.flatMap(({ run, latency }) => (latency[key] ? [] : caseKey(run))));
    return loads
      .filter(({ run }) => !unknown.has(caseKey(run)))
      .map(({ run, latency }) => ({ ...run, values: { ...run.values, [name]: (latency[key] ?? 0) * 1e6 } }));
  };
  return { metric, valuesOf };
});

const taken = new Set([
  ...['rate', 'faster', 'slower', 'removed'],
  ...metricNames,
  ...eventNames,
  ...latencyMetrics.map(({ metric }) => metric.name),
]);

/** Whether a name is reserved, so that benchmarks cannot report a metric by it. */
export function isBuiltIn(name: string): boolean {
  return taken.has(name);
}

/** The names that gates can use. */
const NAME = /^[a-z][\w.-]*$/i;

/** The metrics that benchmarks report, as described by their first run. */
export class ReportedMetrics {
  readonly #known = new Map<string, { readonly metric: MetricDescription; readonly benchmark: string }>();

  get all(): readonly MetricDescription[] {
    return Array.from(this.#known.values(), ({ metric }) => metric);
  }

  /** @returns why the metrics of a run are invalid or differ from earlier runs; undefined if valid */
  add({ benchmark, reported = {} }: Pick<SucceededRun, 'benchmark' | 'reported'>): string | undefined {
    for (const [name, { title = name, unit = '', better, negligible = 0 }] of Object.entries(reported)) {
      if (isBuiltIn(name) || !NAME.test(name)) {
        const why = isBuiltIn(name) ? 'it has another meaning' : 'expected a letter, then letters and digits';
        return `${benchmark} cannot report a metric with the name "${name}": ${why}; choose another name`;
      }
      const metric = { name, title, unit, better, negligible };
      const known = this.#known.get(name);
      if (known === undefined) this.#known.set(name, { metric, benchmark });
      else if (!isDeepStrictEqual(known.metric, metric)) {
        const texts = `${JSON.stringify(metric)}, and an earlier run of ${known.benchmark} as ${JSON.stringify(known.metric)}`;
        return `${benchmark} reports the metric "${name}" as ${texts}: all runs must describe it in the same way`;
      }
    }
    return undefined;
  }
}

/** @throws UsageError if runs describe one metric in different ways */
export function reportedMetrics(
  runs: Iterable<Pick<SucceededRun, 'benchmark' | 'reported'>>,
): readonly MetricDescription[] {
  const metrics = new ReportedMetrics();
  for (const run of runs) {
    const problem = metrics.add(run);
    if (problem !== undefined) throw new UsageError('ERR_BENCH_METRIC', problem);
  }
  return metrics.all;
}
