import type { SucceededRun } from '@bench-cli/results/recording';

/** A run whose load tool reported its latencies. */
export interface LatencyRun
  extends Pick<SucceededRun, 'benchmark' | 'configuration' | 'subject' | 'startedAt'> {
  readonly load: NonNullable<SucceededRun['load']> & { readonly histogram: string };
}
