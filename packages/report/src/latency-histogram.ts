import { caseName, UsageError } from '@bench-cli/results';
import { decodeFromCompressedBase64, type Histogram } from 'hdr-histogram-js';
import type { LatencyRun } from './latency-run.ts';

/**
 * The latencies of the answers of a run, microseconds.
 * @throws UsageError if the text is not a histogram
 */
export function latenciesOf(run: LatencyRun): Histogram {
  try {
    return decodeFromCompressedBase64(run.load.histogram);
  } catch {
    throw new UsageError(
      'ERR_BENCH_HISTOGRAM',
      `the latencies of ${caseName(run)} under ${run.subject}, started at ${run.startedAt}, are damaged: restore the file, or remove "histogram" from the line of this run`,
    );
  }
}
