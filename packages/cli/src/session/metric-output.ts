import { caseKey, caseName } from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import type { SessionResult } from './session-view.ts';

/** Prints the metrics of one subject as a table, if the session has some. */
export async function showMetrics(
  { session: { request }, metricRuns }: Pick<SessionResult, 'session' | 'metricRuns'>,
  terminal: Terminal,
): Promise<void> {
  if (request.metrics === undefined || metricRuns.length === 0) return;
  const [{ renderMetricTable }, { summarizeSample }] = await Promise.all([
    import('@bench-cli/report'),
    import('@bench-cli/stats'),
  ]);
  const { metrics, runs } = request.metrics;
  const cases = Array.from(Map.groupBy(metricRuns, caseKey).values()).flatMap((ofCase) => {
    const summaries = metrics.flatMap(({ name }) => {
      const values = ofCase.flatMap((run) => run.values[name] ?? []);
      return values.length === 0 ? [] : [[name, summarizeSample(values)] as const];
    });
    return ofCase.slice(0, 1).map((run) => ({ name: caseName(run), summaries: new Map(summaries) }));
  });
  terminal.result(`\n${renderMetricTable(metrics, cases, runs)}`);
}
