import { caseKey, caseName, reportedMetrics } from '@bench-cli/results';
import type { Terminal } from '../terminal.ts';
import type { SessionResult } from './session-view.ts';

/** Prints the metrics of one subject as tables, if the session has some. */
export async function showMetrics(
  { session: { request }, runs, metricRuns }: Pick<SessionResult, 'session' | 'runs' | 'metricRuns'>,
  terminal: Terminal,
): Promise<void> {
  const { metrics: measured = [], runs: count } = request.metrics ?? {};
  const tables = [
    { metrics: measured, of: metricRuns, text: `${count} runs that do not count for the rate` },
    { metrics: reportedMetrics(runs), of: runs, text: 'all runs' },
  ].filter(({ metrics, of }) => metrics.length > 0 && of.length > 0);
  if (tables.length === 0) return;
  const [{ renderMetricTable }, { summarizeSample }] = await Promise.all([
    import('@bench-cli/report'),
    import('@bench-cli/stats'),
  ]);
  for (const { metrics, of, text } of tables) {
    const cases = Array.from(Map.groupBy(of, caseKey).values()).flatMap((ofCase) => {
      const summaries = metrics.flatMap(({ name }) => {
        const values = ofCase.flatMap((run) => run.values[name] ?? []);
        return values.length === 0 ? [] : [[name, summarizeSample(values)] as const];
      });
      return ofCase.slice(0, 1).map((run) => ({ name: caseName(run), summaries: new Map(summaries) }));
    });
    terminal.result(`\n${renderMetricTable(metrics, cases, text)}`);
  }
}
