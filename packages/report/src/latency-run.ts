import type { SucceededRun } from '@bench-cli/results/recording';

type Load = NonNullable<SucceededRun['load']>;

/** A run whose load tool reported its latencies. */
export interface LatencyRun
  extends Pick<SucceededRun, 'benchmark' | 'configuration' | 'subject' | 'startedAt'> {
  readonly load: Load & { readonly histograms: NonNullable<Load['histograms']> };
}
