import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Metric } from './metric.ts';

/** For asynchronous benchmarks: a measured part that never returns to the event loop has no delay. */
export const eventLoop: Metric = {
  name: 'eventLoop',
  title: 'delay of the event loop, 99th percentile',
  unit: 'ns',
  better: 'less',
  // Half a tick of its timer.
  negligible: 500_000,
  isPerOperation: false,
  begin() {
    const resolutionMs = 1;
    const delays = monitorEventLoopDelay({ resolution: resolutionMs });
    delays.enable();
    return () => {
      delays.disable();
      // The histogram counts from one tick of its timer to the next.
      return delays.count === 0 ? 0 : Math.max(0, delays.percentile(99) - resolutionMs * 1e6);
    };
  },
};
