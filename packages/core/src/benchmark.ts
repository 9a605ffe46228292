import { coarseStep, nowNs } from './clock.ts';
import { BenchmarkError, refuseOtherOptions } from './error.ts';
import type { HttpOptions } from './http/bench-http.ts';
import type { LoadResult } from './http/load.ts';
import type { MeasureOptions } from './measure.ts';
import { type OwnMetrics, readOwnMetrics } from './own-metrics.ts';
import { activity, probe } from './process-probe.ts';
import type { ReportMessage, ResultDetails } from './protocol.ts';

/** The default port of servers in benchmarks: the variable PORT, or 12346. */
export const PORT: number = Number(process.env['PORT'] || 12346);

/** The result of a benchmark. */
export interface Result extends ResultDetails {
  /** Operations per second. */
  readonly rate: number;
  /** Nanoseconds of the measured part. */
  readonly elapsedNs: bigint;
  readonly reported?: ReportMessage['reported'];
}

/** Measures one configuration and delivers its result. A process has one benchmark, which has one result. */
export class Benchmark {
  readonly #deliver: (result: Result) => void;
  readonly #benchmarker: () => string | undefined;
  #startedAtNs: bigint | undefined;
  #ended = false;
  #reported = false;

  /**
   * Scripts get a Benchmark from `createBenchmark`.
   * @param benchmarker the load tool that the configuration or the arguments name
   */
  constructor(deliver: (result: Result) => void, benchmarker: () => string | undefined = () => undefined) {
    this.#deliver = deliver;
    this.#benchmarker = benchmarker;
  }

  /**
   * Starts the clock. Code before it is not measured.
   * @throws BenchmarkError if it is called more than once
   */
  start(): void {
    if (this.#startedAtNs !== undefined)
      throw callOrder('start() was called more than once; a process measures one part: call it once');
    probe?.begin();
    activity?.begin();
    this.#startedAtNs = nowNs();
  }

  /**
   * Stops the clock and reports operations per second.
   * @param operations how many operations ran since `start()`
   * @param metrics further values beside the rate, by name: `{ hits: { value: 97, unit: '%', better: 'more' }
   *   }`
   * @throws BenchmarkError without `start()`, if it is called twice, for a count that is not above 0 (0 is
   *   valid with NODEJS_BENCHMARK_ZERO_ALLOWED), and if the measured part is too short for the clock
   */
  end(operations: number, metrics?: OwnMetrics): void {
    // The clock comes first, so that the checks are not measured.
    const endedAtNs = nowNs();
    activity?.end();
    probe?.end(operations);
    if (this.#startedAtNs === undefined)
      throw callOrder('end() was called without start(): call bench.start() where the measured part begins');
    if (this.#ended)
      throw callOrder('end() was called more than once; a process has one result: call it once');
    if (typeof operations !== 'number' || Number.isNaN(operations)) {
      const given = typeof operations === 'number' ? 'NaN' : `a ${typeof operations}`;
      const mistake = operations === undefined ? 'without' : `with ${given} in place of`;
      const problem = `end() was called ${mistake} the number of operations: pass it, as in bench.end(n)`;
      throw new BenchmarkError('ERR_BENCH_OPERATIONS', problem);
    }
    const zeroAllowed = Boolean(process.env['NODEJS_BENCHMARK_ZERO_ALLOWED']);
    if (operations <= 0 && !zeroAllowed) {
      const problem = `end() was called with ${operations} operations: pass a number above 0`;
      throw new BenchmarkError('ERR_BENCH_OPERATIONS', problem);
    }
    this.#ended = true;
    const elapsedNs = endedAtNs - this.#startedAtNs;
    if (elapsedNs === 0n && !zeroAllowed) {
      const problem = `start() and end() read the same time, because the measured part is too short for the clock: execute more than ${operations} operations`;
      throw new BenchmarkError('ERR_BENCH_TOO_SHORT', problem);
    }
    const coarse = operations > 0 ? Number.MAX_VALUE : 0;
    const rate = elapsedNs > 0n ? operations / (Number(elapsedNs) / 1e9) : coarse;
    this.#finish({ rate, elapsedNs, ...coarseStep(elapsedNs) }, metrics);
  }

  /**
   * Reports a rate that was measured in another way, in place of `start()` and `end()`.
   * @param rate operations per second, finite and not negative
   * @param elapsedNs nanoseconds of the measured part, not negative
   * @param options the latency of an operation and the warm-up, if known, and metrics as for `end()`
   * @throws BenchmarkError if a result was reported before, or if the rate or the time is invalid
   */
  report(
    rate: number,
    elapsedNs: bigint,
    options: Pick<Result, 'latency' | 'warmUp'> & { readonly metrics?: OwnMetrics } = {},
  ): void {
    refuseOtherOptions('report()', options, [
      'metrics: { NAME: { value: 1, better: "less" } }',
      'latency',
      'warmUp',
    ]);
    const { metrics, ...details } = options;
    this.#finish({ rate, elapsedNs, ...details }, metrics);
  }

  /**
   * Measures an operation without a fixed count: warms up, takes samples for `durationMs`, and reports the
   * rate and the percentiles of the latency. Short operations are timed in batches.
   * @param operation one operation; a returned promise is awaited
   */
  async measure(operation: () => unknown, options: MeasureOptions = {}): Promise<void> {
    if (typeof operation !== 'function') {
      const problem = 'measure() requires a function: write bench.measure(() => ...)';
      throw new BenchmarkError('ERR_BENCH_PARAMETER', problem);
    }
    refuseOtherOptions('measure()', options, ['durationMs', 'warmupMs', 'metrics']);
    const { measure } = await import('./measure.ts');
    this.#finish(await measure(operation, options), options.metrics);
  }

  /**
   * Loads an HTTP server of this process, and reports the rate of its successful responses. The load tool is
   * the one that `options.benchmarker`, the parameter `benchmarker` or the argument `benchmarker` names.
   * Default: wrk if it is installed, else autocannon, which is always available; h2load for HTTP/2.
   * @param ended for compatibility with Node core: called after the load, with 0, or with 1 without a rate
   * @throws BenchmarkError without a reliable rate: the server or the tool failed, or one is missing
   */
  async http(options: HttpOptions = {}, ended: (code: number) => void = () => {}): Promise<void> {
    const { loadOverHttp } = await import('./http/bench-http.ts');
    let load: LoadResult;
    probe?.begin();
    try {
      load = await loadOverHttp(options, this.#benchmarker(), options.port ?? PORT);
    } catch (error) {
      ended(1);
      throw error;
    }
    probe?.end(load.requests);
    ended(0);
    const elapsedNs = BigInt(Math.round(load.durationSeconds * 1e9));
    this.#finish({ rate: load.rate, elapsedNs, load }, options.metrics);
  }

  #finish(result: Result, metrics?: OwnMetrics): void {
    if (this.#reported)
      throw callOrder('a result was reported more than once; a process has one result: report it once');
    if (!Number.isFinite(result.rate) || result.rate < 0) {
      const problem = `${result.rate} is not a valid rate: report a finite number, at least 0`;
      throw new BenchmarkError('ERR_BENCH_RESULT', problem);
    }
    if (typeof result.elapsedNs !== 'bigint' || result.elapsedNs < 0n) {
      const problem = `${result.elapsedNs} is not a valid elapsed time: report nanoseconds as a bigint, at least 0n`;
      throw new BenchmarkError('ERR_BENCH_RESULT', problem);
    }
    const reported = metrics && readOwnMetrics(metrics);
    this.#reported = true;
    this.#deliver({ ...result, ...(reported && { reported }) });
  }
}

/** Calls `start()` and `end()` once, so that a run does not measure their compilation of about 30 µs. */
export function rehearse(): void {
  const bench = new Benchmark(() => {});
  try {
    bench.start();
    bench.end(1);
  } catch {
    // A coarse clock can read the same time twice.
  }
  activity?.forget();
}

function callOrder(message: string): BenchmarkError {
  return new BenchmarkError('ERR_BENCH_CALL_ORDER', message);
}
