import { nowNs } from './clock.ts';
import { BenchmarkError } from './error.ts';
import type { OwnMetrics } from './own-metrics.ts';
import { Trace } from './pilot.ts';
import { type ObservedOperations, takeProcessOrder } from './process-order.ts';
import { activity, probe } from './process-probe.ts';
import type { Probe, ResultDetails } from './protocol.ts';

/** Options of `bench.measure()`. */
export interface MeasureOptions {
  /** Duration of the measured part, milliseconds. Default 1000. */
  readonly durationMs?: number;
  /** Duration of the warm-up before it, which begins after the first call, milliseconds. Default 250. */
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
  /** Functions that are called around the operation. The time of these calls is not measured. */
  readonly hooks?: Readonly<Partial<Record<'beforeAll' | 'beforeEach' | 'afterEach' | 'afterAll', TaskHook>>>;
}

type Hooks = NonNullable<TaskOptions['hooks']>;

/** The result of `bench.measure()`. */
export type Measurement = Awaited<ReturnType<typeof measure>>;

/** The longest measured part of a pilot, milliseconds. */
const pilotMs = 5000;

/** In a batch shorter than this, reading the clock would take more than about one per cent of the time. */
const minimumBatchNs = 10_000;

/** The first call of a short operation does not take this long. */
const longTrialNs = 1_000_000;

/** Takes the samples for `Benchmark.measure`. */
export async function measure(operation: () => unknown, options: TaskOptions) {
  const test = process.env['BENCH_CLI_TEST'] !== undefined;
  const longestMs = test ? 1 : (options.durationMs ?? 1000);
  const declaredWarmUpMs = test ? 0 : (options.warmupMs ?? 250);
  const { hooks = {} } = options;
  const { beforeAll, beforeEach, afterEach, afterAll } = hooks;
  const ordered = takeProcessOrder();
  if (probe !== undefined && ordered.observed !== undefined)
    return measureAsMany(probe, operation, hooks, ordered.observed);
  await beforeAll?.('warmup');
  await beforeEach?.('warmup');
  // Tasks of tinybench can measure a part of themselves.
  const timesItself = 'overriddenDuration' in Object(await operation());
  await afterEach?.('warmup');
  const batches = timesItself ? new ReportedSamples(operation, hooks) : new Batches(operation, hooks);
  await batches.chooseSize(test ? 1 : 5);
  // Without a warm-up, cold code is to be measured.
  const order = timesItself || declaredWarmUpMs === 0 ? undefined : ordered.sampling;
  const trace = order === 'pilot' ? new Trace(activity?.cpuNowNs) : undefined;
  const declared = { warmUpMs: declaredWarmUpMs, measuredMs: longestMs };
  const planned = typeof order === 'object' ? order : declared;
  await samplesOf(batches, planned.warmUpMs, 0, trace);
  await afterAll?.('warmup');
  batches.phase = 'run';
  await beforeAll?.('run');
  const mostMs = trace && !trace.isTooLong ? Math.min(longestMs, pilotMs) : longestMs;
  const time = Math.min(planned.measuredMs, mostMs);
  const least = test ? 1 : (options.iterations ?? 5);
  const { samples, elapsedNs } = await samplesOf(batches, time, least, trace);
  await afterAll?.('run');
  const { size, executed, operationsPerCall } = batches;
  const calls = samples.length * size;
  if (probe !== undefined) await observe(probe, operation, hooks, calls, operationsPerCall > 1);
  // For a call that measures itself, the number of operations depends on its time.
  const observed = probe && !timesItself && { before: 1 + executed, operations: calls };
  return measurementOf(samples, elapsedNs, size * operationsPerCall, {
    ...(observed && { observed }),
    ...(order && {
      sampling: {
        ...planned,
        measuredMs: time,
        ...(trace && !trace.isTooLong && { pilot: { longestMs, windows: trace.windows } }),
      },
    }),
  });
}

/** Executes and measures as many operations as another process did. The probe slows down the rate. */
async function measureAsMany(
  measuring: Probe,
  operation: () => unknown,
  hooks: Hooks,
  observed: ObservedOperations,
) {
  const { before, operations } = observed;
  const startedAtNs = nowNs();
  await observe({ begin() {}, end() {} }, operation, hooks, before, false);
  await observe(measuring, operation, hooks, operations, false);
  const elapsedNs = Number(nowNs() - startedAtNs);
  const executed = before + operations;
  return measurementOf(new Float64Array([elapsedNs / executed]), elapsedNs, executed, { observed });
}

/** @param samples nanoseconds of an operation */
function measurementOf(
  samples: Float64Array,
  elapsedNs: number,
  operationsPerSample: number,
  details: Pick<ResultDetails, 'observed' | 'sampling'>,
) {
  const totalNs = samples.reduce((sum, ns) => sum + ns, 0);
  if (totalNs <= 0) {
    const problem = 'the operation of measure() is too short for the clock: do more in one operation';
    throw new BenchmarkError('ERR_BENCH_TOO_SHORT', problem);
  }
  const meanNs = totalNs / samples.length;
  return {
    /** Operations per second. */
    rate: 1e9 / meanNs,
    /** Nanoseconds of all samples. */
    elapsedNs: BigInt(Math.round(elapsedNs)),
    latency: { meanNs, ...percentilesOf(samples), samples: samples.length, operationsPerSample },
    ...details,
  };
}

/**
 * Takes samples until both the time and the number are reached. Microtasks run between two samples. The time
 * goes on between samples, too, or else the measured part would begin later in the life of a process than it
 * says. It stands still in hooks, and in what a call does beside the time that it reports.
 * @returns nanoseconds of an operation, a mean for each sample, and of all operations
 */
async function samplesOf(
  batches: Batches,
  durationMs: number,
  least: number,
  trace?: Trace,
): Promise<{ readonly samples: Float64Array; readonly elapsedNs: number }> {
  const durationNs = durationMs * 1e6;
  const samples: number[] = [];
  if (batches.isWhole) activity?.begin();
  let elapsedNs = 0;
  const beganAtNs = nowNs();
  for (let spentNs = 0; spentNs < durationNs || samples.length < least; ) {
    const { size } = batches;
    const lastedNs = await batches.sample();
    const untilNs =
      batches.endedAtNs === undefined ? spentNs + lastedNs : Number(batches.endedAtNs - beganAtNs);
    trace?.add(size, (untilNs - spentNs) / 1e6);
    spentNs = untilNs;
    const measuredNs = batches.reportedNs ?? lastedNs;
    elapsedNs += measuredNs * batches.operationsPerCall;
    samples.push(measuredNs / size);
  }
  if (batches.isWhole) activity?.end();
  return { samples: new Float64Array(samples), elapsedNs };
}

/** Interpolates between samples: definition 7 of R. Hyndman and Y. Fan, "Sample quantiles", 1996. */
function percentilesOf(samples: Float64Array) {
  const ascending = samples.sort();
  const at = (share: number): number => {
    const position = (ascending.length - 1) * share;
    const [from = 0, to = from] = ascending.slice(Math.floor(position), Math.floor(position) + 2);
    return from + (to - from) * (position % 1);
  };
  return { p50Ns: at(0.5), p75Ns: at(0.75), p99Ns: at(0.99), p999Ns: at(0.999), minNs: at(0), maxNs: at(1) };
}

/** Lets the probe measure calls, without taking samples. */
async function observe(
  { begin, end }: Pick<Probe, 'begin' | 'end'>,
  operation: () => unknown,
  { beforeAll, beforeEach, afterEach, afterAll }: Hooks,
  calls: number,
  isLoop: boolean,
): Promise<void> {
  await beforeAll?.('run');
  // Hooks of each operation are not measured. A call that is a loop returns its number of operations.
  const isOneByOne = isLoop || beforeEach !== undefined || afterEach !== undefined;
  const [parts, size] = isOneByOne ? [calls, 1] : [1, calls];
  for (let part = 0; part < parts; part++) {
    await beforeEach?.('run');
    begin();
    const value = isLoop ? await operation() : await repeat(operation, size);
    end(size * operationsIn(value));
    await afterEach?.('run');
  }
  await afterAll?.('run');
}

/**
 * Samples of an operation. A sample is the time of a batch, so that reading the clock does not count, and
 * samples fit into memory. Until the warm-up ends, a batch that is too short is doubled.
 */
class Batches {
  protected readonly operation: () => unknown;
  protected readonly hooks: Hooks;
  /** Operations of a batch. */
  size = 1;
  /** Operations so far. */
  executed = 0;
  phase: 'warmup' | 'run' = 'warmup';
  /** When the last sample ended; undefined if other code than the operation runs between samples. */
  endedAtNs: bigint | undefined;
  /** The duration that the operation reported in place of the time of its sample. Nanoseconds. */
  reportedNs: number | undefined;
  /** More than one only if an operation that reports its duration is a loop of operations. */
  operationsPerCall = 1;

  constructor(operation: () => unknown, hooks: Hooks) {
    this.operation = operation;
    this.hooks = hooks;
  }

  /** Whether hooks run between operations, which are not measured. */
  get isOneByOne(): boolean {
    return this.hooks.beforeEach !== undefined || this.hooks.afterEach !== undefined;
  }

  /** Whether all code between the first and the last sample is measured. */
  get isWhole(): boolean {
    return this.phase === 'run' && !this.isOneByOne;
  }

  /** Doubles the batch until it is long enough. This also warms up the operation. */
  async chooseSize(trials: number): Promise<void> {
    for (; this.size < 1 << 24; this.size *= 2) {
      let shortestNs = Number.POSITIVE_INFINITY;
      for (let trial = 0; trial < trials && shortestNs >= minimumBatchNs; trial++) {
        const lastedNs = await this.#time();
        shortestNs = Math.min(shortestNs, lastedNs);
        if (lastedNs >= longTrialNs) break;
      }
      if (shortestNs >= minimumBatchNs) return;
    }
  }

  /** @returns the nanoseconds of a batch */
  sample(): number | Promise<number> {
    const lastedNs = this.#time();
    return typeof lastedNs === 'number' ? this.#grown(lastedNs) : lastedNs.then((ns) => this.#grown(ns));
  }

  #grown(lastedNs: number): number {
    if (this.phase === 'warmup' && lastedNs < minimumBatchNs) this.size *= 2;
    return lastedNs;
  }

  /** Waits only for operations that return promises: waiting takes as long as many an operation. */
  #time(): number | Promise<number> {
    this.executed += this.size;
    if (this.isOneByOne) return this.#timeEach();
    const startedAtNs = nowNs();
    const endedAtNs = repeat(this.operation, this.size);
    const lasted = (ns: bigint) => {
      this.endedAtNs = ns;
      return Number(ns - startedAtNs);
    };
    return typeof endedAtNs === 'bigint' ? lasted(endedAtNs) : endedAtNs.then(lasted);
  }

  async #timeEach(): Promise<number> {
    const { beforeEach, afterEach } = this.hooks;
    let lastedNs = 0;
    for (let call = 0; call < this.size; call++) {
      await beforeEach?.(this.phase);
      if (this.phase === 'run') activity?.begin();
      const startedAtNs = nowNs();
      lastedNs += Number((await repeat(this.operation, 1)) - startedAtNs);
      activity?.end();
      await afterEach?.(this.phase);
    }
    return lastedNs;
  }
}

/** Samples of an operation that reports its duration, as tasks of tinybench can. A sample is one call. */
class ReportedSamples extends Batches {
  override async chooseSize(): Promise<void> {}

  override get isWhole(): boolean {
    return false;
  }

  /** @returns the nanoseconds that count against the duration of all samples: those reported, if any */
  override async sample(): Promise<number> {
    this.executed++;
    await this.hooks.beforeEach?.(this.phase);
    if (this.phase === 'run') activity?.begin();
    const startedAtNs = nowNs();
    const value = await this.operation();
    const lastedNs = Number(nowNs() - startedAtNs);
    // Other clocks can go on while a process is stopped.
    if (Reflect.get(Object(value), 'isByNowNs') === true) activity?.end();
    this.reportedNs = nanosecondsOf(value, 'overriddenDuration');
    this.operationsPerCall = operationsIn(value);
    await this.hooks.afterEach?.(this.phase);
    return nanosecondsOf(value, 'overriddenIterationCost') || this.reportedNs || lastedNs;
  }
}

/** The number of operations of a call that measures itself. */
function operationsIn(value: unknown): number {
  return Number(Reflect.get(Object(value), 'operationsPerCall') ?? 1);
}

/** Milliseconds that a task of tinybench returned. */
function nanosecondsOf(value: unknown, name: string): number | undefined {
  const ms: unknown = Reflect.get(Object(value), name);
  return typeof ms === 'number' && Number.isFinite(ms) && ms >= 0 ? ms * 1e6 : undefined;
}

/**
 * Calls an operation in a tight loop. Once a call returns a promise, waits for each promise. The check costs
 * nothing in a loop, but 6 ns if the operation returns objects of more than four shapes.
 * @returns when the last call ended
 */
function repeat(operation: () => unknown, times: number): bigint | Promise<bigint> {
  for (let call = 1; call <= times; call++) {
    const value = operation();
    if (isThenable(value)) return repeatWaiting(operation, times - call, value);
  }
  return nowNs();
}

async function repeatWaiting(operation: () => unknown, times: number, first: unknown): Promise<bigint> {
  await first;
  for (let call = 1; call <= times; call++) {
    const value = operation();
    if (isThenable(value)) await value;
  }
  return nowNs();
}

// Only this file calls `isObject`: a test that others call, too, costs each operation a nanosecond.
/** Whether a value must be awaited. */
export function isThenable(value: unknown): boolean {
  return isObject(value) && typeof value.then === 'function';
}

function isObject(value: unknown): value is { readonly then?: unknown } {
  return typeof value === 'object' && value !== null;
}
