/** The figures of tinybench. */
const figures = 'aad critical df mad max mean min moe p50 p75 p99 p995 p999 rme sd sem variance'.split(' ');

const statistics: object = {
  ...Object.fromEntries(figures.map((name) => [name, Number.NaN])),
  samples: undefined,
  samplesCount: 0,
};

/**
 * The result of each task for the file, because bench-cli reports the real results itself. It has the properties that files read, in
 * older versions of tinybench too.
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
