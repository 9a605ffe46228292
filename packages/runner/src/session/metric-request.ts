import { hardware, metrics, perfProblem } from '@bench-cli/agent/metrics';
import { UsageError } from '@bench-cli/results';
import type { MetricRequest, Subject } from '@bench-cli/results/recording';
import { isRelease } from '@bench-cli/subjects';

/** Fewer runs cannot show one difference among many comparisons (`pairFloor` of stats). */
const RUNS_WITH_AUTO = 12;

/**
 * The metrics that a session measures beside the rate, which is always measured.
 * @param names as users write them; `rate` is accepted
 * @param runs how often each configuration runs for its rate, if that is fixed; `search` for a bisect, whose
 * runs are those of one metric
 * @throws UsageError for an unknown metric, and for a subject that cannot measure them
 */
export function readMetrics(
  names: readonly string[],
  runs: unknown,
  subjects: readonly Subject[],
): MetricRequest | undefined {
  const unknown = names.find((name) => name !== 'rate' && metrics.every((metric) => metric.name !== name));
  if (unknown !== undefined) {
    const message = `unknown metric "${unknown}": choose from ${['rate', ...metrics.map(({ name }) => name).sort()].join(', ')}`;
    throw new UsageError('ERR_BENCH_METRIC', message, { option: 'metrics' });
  }
  const requested = names
    .filter((name, at) => names.indexOf(name) === at)
    .flatMap((name) => metrics.filter((metric) => metric.name === name))
    .map(({ name, title, unit, better, negligible }) => ({ name, title, unit, better, negligible }));
  if (requested.length === 0) return undefined;
  if (runs === 'search' && requested.length > 1) {
    const message = `--metric ${names.join(',')}: bisect searches by one metric: choose one of them`;
    throw new UsageError('ERR_BENCH_METRIC', message, { option: 'metrics' });
  }
  const counted = [...new Set(names)].filter((name) => hardware.some((each) => each.name === name));
  const problem = counted.length === 0 ? undefined : perfProblem(counted);
  if (problem !== undefined) {
    const message = `--metric ${counted.join(',')}: these metrics ${problem}; leave them out`;
    throw new UsageError('ERR_BENCH_METRIC', message, { option: 'metrics' });
  }
  const isAble = ({ runtime }: Subject) => runtime.name === 'node' && isRelease(runtime, '^18.15 || >=19.6');
  const without = subjects.find((subject) => !isAble(subject));
  if (without !== undefined) {
    const { name, version } = without.runtime;
    const message = `${without.name}: ${name} ${version} cannot measure metrics, because it has no v8.GCProfiler: use Node.js 18.15 or later, or leave --metric out`;
    throw new UsageError('ERR_BENCH_METRIC', message, { option: 'metrics' });
  }
  if (runs === 'search') return { metrics: requested, runs: 0 };
  return { metrics: requested, runs: typeof runs === 'number' ? runs : RUNS_WITH_AUTO };
}
