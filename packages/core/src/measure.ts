import { Bench } from 'tinybench';
import { BenchmarkError } from './error.ts';
import type { OwnMetrics } from './own-metrics.ts';
import { samplingOrder, Trace } from './pilot.ts';
import { probe } from './process-probe.ts';
import type { Probe } from './protocol.ts';

/** Options of `bench.measure()`. */
export interface MeasureOptions {
  /** Duration of the measured part, milliseconds. Default 1000. */
  readonly durationMs?: number;
  /** Duration of the warm-up before it, milliseconds. Default 250. */
  readonly warmupMs?: number;
  /** Further values beside the rate, as for `bench.end()`. A function computes them after all samples. */
  readonly metrics?: OwnMetrics;
}

/** A function that is called around an operation, or around the phases of its measurement. */
type TaskHook = (mode?: 'run' | 'warmup') => Promise<void> | void;

/** Options of a task that only benchmark files of other tools have. */
export interface TaskOptions extends MeasureOptions {
  /** The least number of samples. Default 5, so that a long operation keeps to the duration. */
  readonly iterations?: number | undefined;
  /** Functions that are called around the operation. With one for each operation, operations are not timed in batches. */
  readonly hooks?: {
    readonly beforeAll?: TaskHook;
    readonly beforeEach?: TaskHook;
    readonly afterEach?: TaskHook;
    readonly afterAll?: TaskHook;
  };
}

/** The result of `bench.measure()`. */
export type Measurement = Awaited<ReturnType<typeof measure>>;

/** The measured part of a pilot, milliseconds, if it is declared to be longer. Its warm-up shows the rate too. */
const pilotMs = 250;

/** In a batch shorter than this, reading the clock would take more than about one per cent of the time. */
const minimumBatchNs = 10_000;

/** Takes the samples for `Benchmark.measure`. */
export async function measure(operation: () => unknown, options: TaskOptions) {
  const test = process.env['BENCH_CLI_TEST'] !== undefined;
  const longestMs = test ? 1 : (options.durationMs ?? 1000);
  const declaredWarmUpMs = test ? 0 : (options.warmupMs ?? 250);
  const { hooks = {} } = options;
  const { asynchronous, timesItself, batch } = await examine(operation, hooks, test ? 1 : 5);
  // Without a warm-up, cold code is to be measured.
  const order = timesItself || declaredWarmUpMs === 0 ? undefined : samplingOrder();
  const trace = order === 'pilot' ? new Trace() : undefined;
  const { timed, endWarmUp, batchSize } = timedOperation(operation, asynchronous, batch, trace);
  if (trace) await hooks.beforeAll?.('warmup');
  const warmUp = await trace?.warmUp(async () => {
    await hooks.beforeEach?.('warmup');
    await timed();
    await hooks.afterEach?.('warmup');
  });
  if (trace) await hooks.afterAll?.('warmup');
  if (trace || declaredWarmUpMs === 0) endWarmUp();
  const planned =
    order === undefined || order === 'pilot'
      ? {
          warmUpMs: warmUp?.elapsedMs ?? declaredWarmUpMs,
          measuredMs: trace && !trace.isTooLong ? pilotMs : longestMs,
        }
      : order;
  const time = Math.min(planned.measuredMs, longestMs);
  const bench = new Bench({
    time,
    warmup: trace === undefined,
    warmupTime: planned.warmUpMs,
    iterations: test ? 1 : (options.iterations ?? 5),
    warmupIterations: 1,
    throws: true,
    timestampProvider: 'hrtimeNow',
    setup: (_, mode) => {
      if (mode === 'run') endWarmUp();
    },
  });
  bench.add('operation', batch !== undefined || trace !== undefined ? timed : operation, {
    ...hooks,
    async: asynchronous,
  });
  const [task] = await bench.run();
  const result = task?.result;
  if (result === undefined || !('latency' in result)) {
    throw new BenchmarkError('ERR_BENCH_TOO_SHORT', 'measure() took no sample: increase durationMs');
  }
  const { latency } = result;
  if (latency.mean <= 0) {
    throw new BenchmarkError(
      'ERR_BENCH_TOO_SHORT',
      'the operation of measure() is too short for the clock: do more in one operation',
    );
  }
  if (probe !== undefined) {
    await observe(probe, operation, hooks, asynchronous, latency.samplesCount * batchSize());
  }
  const ns = (milliseconds: number): number => milliseconds * 1e6;
  return {
    /** Operations per second. */
    rate: 1000 / latency.mean,
    /** Nanoseconds of all samples. */
    elapsedNs: BigInt(Math.round(ns(result.totalTime * batchSize()))),
    latency: {
      meanNs: ns(latency.mean),
      p50Ns: ns(latency.p50),
      p75Ns: ns(latency.p75),
      p99Ns: ns(latency.p99),
      p999Ns: ns(latency.p999),
      minNs: ns(latency.min),
      maxNs: ns(latency.max),
      samples: latency.samplesCount,
      operationsPerSample: batchSize(),
    },
    ...(warmUp && { warmUp }),
    ...(order && {
      sampling: {
        warmUpMs: planned.warmUpMs,
        measuredMs: time,
        ...(trace && !trace.isTooLong && { pilot: { longestMs, windows: trace.windows } }),
      },
    }),
  };
}

/** Calls the operation to find out how to call it. Without a size of a batch, it is timed one by one. */
async function examine(operation: () => unknown, hooks: NonNullable<TaskOptions['hooks']>, trials: number) {
  const { beforeAll, beforeEach, afterEach, afterAll } = hooks;
  await beforeAll?.('warmup');
  await beforeEach?.('warmup');
  const first = operation();
  const asynchronous = typeof Object(first).then === 'function';
  // Tasks of tinybench can measure a part of themselves.
  const timesItself = 'overriddenDuration' in Object(await first);
  await afterEach?.('warmup');
  const single = asynchronous || timesItself || beforeEach !== undefined || afterEach !== undefined;
  const batch = single ? undefined : firstBatch(operation, trials);
  await afterAll?.('warmup');
  return { asynchronous, timesItself, batch };
}

/** Lets the probe measure as many operations as were timed, without the samples of tinybench. */
async function observe(
  { begin, end }: Probe,
  operation: () => unknown,
  { beforeAll, beforeEach, afterEach, afterAll }: NonNullable<TaskOptions['hooks']>,
  asynchronous: boolean,
  operations: number,
): Promise<void> {
  await beforeAll?.('run');
  // Hooks of each operation are not measured.
  const isOneByOne = beforeEach !== undefined || afterEach !== undefined;
  const [parts, size] = isOneByOne ? [operations, 1] : [1, operations];
  for (let part = 0; part < parts; part++) {
    await beforeEach?.('run');
    begin();
    if (asynchronous) for (let i = 0; i < size; i++) await operation();
    else for (let i = 0; i < size; i++) operation();
    end(size);
    await afterEach?.('run');
  }
  await afterAll?.('run');
}

/** Doubles the batch until it is long enough for the clock. This also warms up the operation. */
function firstBatch(operation: () => unknown, trials: number): number {
  for (let size = 1; ; size *= 2) {
    let shortestNs = Number.POSITIVE_INFINITY;
    for (let trial = 0; trial < trials; trial++) {
      const startedAtNs = process.hrtime.bigint();
      for (let i = 0; i < size; i++) operation();
      shortestNs = Math.min(shortestNs, Number(process.hrtime.bigint() - startedAtNs));
    }
    if (shortestNs >= minimumBatchNs || size >= 1 << 24) return size;
  }
}

/**
 * One sample is the mean of a batch; the whole batch counts against the duration. Until the warm-up has ended, a batch that is too short
 * for the clock is doubled, because compiled code is faster than the code that decided the first size.
 */
function timedOperation(
  operation: () => unknown,
  asynchronous: boolean,
  firstSize: number | undefined,
  trace: Trace | undefined,
) {
  let batch = firstSize ?? 1;
  let isWarm = firstSize === undefined;
  const now = () => Number(process.hrtime.bigint()) / 1e6;
  const sampleFrom = (startedAt: number) => {
    const cost = now() - startedAt;
    trace?.add(batch, cost);
    const sample = { overriddenDuration: cost / batch, overriddenIterationCost: cost };
    if (!isWarm && cost * 1e6 < minimumBatchNs) batch *= 2;
    return sample;
  };
  const timed = asynchronous
    ? async () => {
        const startedAt = now();
        await operation();
        return sampleFrom(startedAt);
      }
    : () => {
        const startedAt = now();
        for (let i = 0; i < batch; i++) operation();
        return sampleFrom(startedAt);
      };
  const endWarmUp = () => {
    isWarm = true;
  };
  return { timed, endWarmUp, batchSize: () => batch };
}
