import { caseName, UsageError } from '@bench-cli/results';
import type { SucceededRun } from '@bench-cli/results/recording';
import { decodeFromCompressedBase64, type Histogram } from 'hdr-histogram-js';

/** A run whose load tool reported its latencies. */
export interface LatencyRun
  extends Pick<SucceededRun, 'benchmark' | 'configuration' | 'subject' | 'startedAt'> {
  readonly load: NonNullable<SucceededRun['load']> & { readonly histogram: string };
}

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
