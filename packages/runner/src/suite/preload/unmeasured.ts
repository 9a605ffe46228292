import type { Statistics } from 'tinybench';

const statistics: Statistics = {
  aad: Number.NaN,
  critical: Number.NaN,
  df: Number.NaN,
  mad: Number.NaN,
  max: Number.NaN,
  mean: Number.NaN,
  min: Number.NaN,
  moe: Number.NaN,
  p50: Number.NaN,
  p75: Number.NaN,
  p99: Number.NaN,
  p995: Number.NaN,
  p999: Number.NaN,
  rme: Number.NaN,
  samples: undefined,
  samplesCount: 0,
  sd: Number.NaN,
  sem: Number.NaN,
  variance: Number.NaN,
};

/**
 * What a file gets as the result of each task, because bench-cli reports the results itself. It has what files read of it, in
 * older versions of tinybench too, so that they can go on.
 */
export const unmeasured: object = {
  ...statistics,
  state: 'completed',
  hz: Number.NaN,
  latency: statistics,
  throughput: statistics,
  period: Number.NaN,
  totalTime: Number.NaN,
  runtime: 'node',
  runtimeVersion: process.version,
  timestampProviderName: 'hrtimeNow',
};
