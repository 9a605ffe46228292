import type { Metric } from './metric.ts';

/** From the start of the process, not of the measured part. */
export const rss: Metric = {
  name: 'rss',
  title: 'peak memory of the process (resident set)',
  unit: 'B',
  better: 'less',
  negligible: 0,
  isPerOperation: false,
  begin: () => () => process.resourceUsage().maxRSS * 1024,
};
