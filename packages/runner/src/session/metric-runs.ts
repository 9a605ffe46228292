import { type Configuration, caseKey } from '@bench-cli/results';
import type { MetricRun } from '@bench-cli/results/recording';
import { metricProbe } from '../metric/loaded-probe.ts';
import { schedule } from '../plan/schedule.ts';
import type { Runnable, SessionContext } from './preparation.ts';
import type { SessionEvent } from './session-event.ts';

/**
 * Measures the metrics of the cases of one benchmark, in runs of their own, because a process that measures them can be slower. A
 * case whose run fails has no more of them.
 */
export async function* executeMetricRuns(
  { benchmark: { name, scripts }, executor }: Runnable,
  configurations: readonly Configuration[],
  {
    request: { metrics, seed },
    recordedMetrics,
    signal,
  }: Pick<SessionContext, 'request' | 'recordedMetrics' | 'signal'>,
): AsyncGenerator<SessionEvent, void, void> {
  if (metrics === undefined) return;
  const probe = metricProbe(metrics.metrics.map(({ name }) => name));
  const failed = new Set<string>();
  const warned = new Set<string>();
  for (const run of schedule({ name, configurations }, [...scripts.keys()], metrics.runs, seed)) {
    const key = caseKey(run);
    if (failed.has(key)) {
      yield { type: 'skip', run };
      continue;
    }
    const former = recordedMetrics(run);
    if (former === undefined) yield { type: 'start', run };
    const records: readonly MetricRun[] = former ?? (await executor.observe(run, probe, signal));
    for (const record of records) {
      if (record.status === 'failed') failed.add(key);
      else if (Object.keys(record.values).length === 0 && !warned.has(name)) {
        warned.add(name);
        const message = `${name}: has no metrics, because it does not call start() and end(), measure() or http()`;
        yield { type: 'warning', message };
      }
      yield { type: 'metrics', record, resumed: former !== undefined };
    }
  }
}
