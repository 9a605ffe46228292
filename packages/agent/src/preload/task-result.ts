import type { Measurement, TaskOptions } from '@bench-cli/core/other-tools';
import type { BenchOptions, FnOptions } from 'tinybench';

/** The options of a task of tinybench or a benchmark of vitest. Hooks of a Bench enclose hooks of a task. */
export function optionsOf(
  { time = 1000, iterations, warmup = true, warmupTime = 250, setup, teardown }: BenchOptions,
  { beforeAll, beforeEach, afterEach, afterAll }: FnOptions,
  task?: unknown,
): TaskOptions {
  const call = async (fn: unknown, ...args: readonly unknown[]) =>
    typeof fn === 'function' ? Reflect.apply(fn, task, args) : undefined;
  return {
    durationMs: time,
    warmupMs: warmup ? warmupTime : 0,
    iterations,
    hooks: {
      beforeAll: async (mode) => {
        await call(setup, task, mode);
        await call(beforeAll, mode);
      },
      afterAll: async (mode) => {
        await call(afterAll, mode);
        await call(teardown, task, mode);
      },
      ...(beforeEach && { beforeEach: (mode) => call(beforeEach, mode) }),
      ...(afterEach && { afterEach: (mode) => call(afterEach, mode) }),
    },
  };
}

const figures = 'aad critical df mad max mean min moe p50 p75 p99 p995 p999 rme sd sem variance'.split(' ');
const unknown = Object.fromEntries(figures.map((name) => [name, Number.NaN]));

/**
 * The result of a task of tinybench, with the properties of older versions. The figures are NaN unless this
 * process measures the task.
 */
export function taskResult({ rate = Number.NaN, latency, elapsedNs }: Partial<Measurement> = {}): object {
  const ms = (ns = Number.NaN) => ns / 1e6;
  const { meanNs, p50Ns, p75Ns, p99Ns, p999Ns, minNs, maxNs, samples = 0 } = latency ?? {};
  const known = { mean: ms(meanNs), min: ms(minNs), max: ms(maxNs) };
  const percentiles = { p50: ms(p50Ns), p75: ms(p75Ns), p99: ms(p99Ns), p999: ms(p999Ns) };
  const counts = { samples: undefined, samplesCount: samples };
  const statistics = { ...unknown, ...known, ...percentiles, ...counts };
  return {
    ...statistics,
    state: 'completed',
    hz: rate,
    latency: statistics,
    throughput: { ...unknown, mean: rate, p50: rate, ...counts },
    period: known.mean,
    totalTime: ms(elapsedNs === undefined ? undefined : Number(elapsedNs)),
    runtime: 'node',
    runtimeVersion: process.version,
    timestampProviderName: 'hrtimeNow',
  };
}
