import { caseName, UsageError } from '@bench-cli/results';
import { decodeFromCompressedBase64, type Histogram } from 'hdr-histogram-js';
import type { LatencyRun } from './latency-run.ts';

/**
 * The latencies of a run, microseconds: a histogram for each part of its load.
 * @throws UsageError if a text is not a histogram
 */
export function latenciesOf(run: LatencyRun): readonly Histogram[] {
  try {
    return run.load.histograms.parts.map((part) => decodeFromCompressedBase64(part));
  } catch {
    throw new UsageError(
      'ERR_BENCH_HISTOGRAM',
      `the latencies of ${caseName(run)} under ${run.subject}, started at ${run.startedAt}, are damaged: restore the file, or remove "histograms" from the line of this run`,
    );
  }
}
