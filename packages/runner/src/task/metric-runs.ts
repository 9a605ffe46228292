import { type Configuration, caseKey } from '@bench-cli/results';
import { executeRun } from '../execution/executor.ts';
import type { OpenSession } from '../execution/open-session.ts';
import type { Runnable } from '../execution/preparation.ts';
import { metricProbe } from '../metric/loaded-probe.ts';
import { schedule } from '../plan/schedule.ts';

/**
 * Measures the metrics of the cases of one benchmark, in runs of their own, because a process that measures them can be slower. A
 * case whose run fails has no more of them.
 */
export async function executeMetricRuns(
  { benchmark: { name, scripts }, executor }: Runnable,
  configurations: readonly Configuration[],
  open: OpenSession,
): Promise<void> {
  const { metrics, seed } = open.request;
  if (metrics === undefined) return;
  const names = metrics.metrics.map((metric) => metric.name);
  const observation = { kind: 'metrics', probe: metricProbe(names) } as const;
  const failed = new Set<string>();
  let hasMetrics = true;
  for (const run of schedule({ name, configurations }, [...scripts.keys()], metrics.runs, seed)) {
    const key = caseKey(run);
    if (failed.has(key)) {
      await open.emit({ type: 'skip', run });
      continue;
    }
    for (const record of await executeRun(run, executor, open, observation)) {
      if (record.status === 'failed') failed.add(key);
      else if (hasMetrics && !names.some((metric) => metric in record.values)) {
        hasMetrics = false;
        const message = `${name}: has no metrics, because it does not call start() and end(), measure() or http()`;
        await open.emit({ type: 'warning', message });
      }
    }
  }
}
