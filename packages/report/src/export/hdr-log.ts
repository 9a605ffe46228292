import { caseName } from '@bench-cli/results';
import type { LatencyRun } from '../latency-histogram.ts';

/**
 * The latencies of runs as a log of HdrHistogram, with a line for each part of a load, whose tag names the subject and the case.
 * @throws UsageError for a damaged histogram
 */
export async function hdrLog(runs: readonly LatencyRun[]): Promise<string> {
  // Only this and plots need them.
  const [{ HistogramLogWriter }, { latenciesOf }] = await Promise.all([
    import('hdr-histogram-js'),
    import('../latency-histogram.ts'),
  ]);
  const lines: string[] = [];
  const writer = new HistogramLogWriter((line) => lines.push(line));
  writer.outputLogFormatVersion();
  writer.outputComment('[Latencies in microseconds; Interval_Max in milliseconds]');
  writer.outputLegend();
  for (const run of runs) {
    const { partSeconds } = run.load.histograms;
    let start = Date.parse(run.startedAt) / 1000;
    for (const latencies of latenciesOf(run)) {
      // A tag has neither commas nor spaces.
      latencies.tag = `${run.subject}/${caseName(run)}`.replace(/[\s,]+/g, '_');
      writer.outputIntervalHistogram(latencies, start, start + partSeconds);
      start += partSeconds;
    }
  }
  return lines.join('');
}
