import { caseName, UsageError } from '@bench-cli/results';
import type { SucceededRun } from '@bench-cli/results/recording';
import { decodeFromCompressedBase64, type Histogram } from 'hdr-histogram-js';

type Load = NonNullable<SucceededRun['load']>;

/** A run whose load tool reported its latencies. */
export interface LatencyRun
  extends Pick<SucceededRun, 'benchmark' | 'configuration' | 'subject' | 'startedAt'> {
  readonly load: Load & { readonly histograms: NonNullable<Load['histograms']> };
}

/**
 * The latencies of a run, microseconds: a histogram for each part of its load.
 * @throws UsageError if a text is not a histogram
 * @internal
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
