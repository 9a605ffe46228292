import type { MetricDescription } from '@bench-cli/results/recording';

/** A figure of the measured part of a run beside its rate. A process measures it on request. */
export interface Metric extends MetricDescription {
  /** Whether the amount is divided by the number of operations; otherwise it is that of the process. */
  readonly isPerOperation: boolean;
  /** Called when the measured part begins. The function that it returns is called at the end, and returns the amount. */
  begin(): () => number;
}
