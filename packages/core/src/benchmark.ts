import type { LoadResult } from './load.ts';
import { BenchmarkError } from './error.ts';
import type { HttpOptions } from './http.ts';
import type { MeasureOptions } from './measure.ts';
import type { Latency } from './protocol.ts';

/** The port for servers that benchmarks load: the variable PORT, or 12346. */
export const PORT: number = Number(process.env['PORT'] || 12346);

/** A result as a benchmark gives it. */
export interface Result {
  /** Operations per second. */
  readonly rate: number;
  /** Nanoseconds that the operations took. */
  readonly elapsedNs: bigint;
  readonly latency?: Latency;
  /** What a load tool told, where `bench.http()` made the result. */
  readonly load?: LoadResult;
}

/** Times one configuration and hands its result on. One process has one, and it gives one result. */
export class Benchmark {
  readonly #deliver: (result: Result) => void;
  readonly #benchmarker: () => string | undefined;
  #startedAtNs: bigint | undefined;
  #ended = false;
  #reported = false;

  /**
   * Scripts get theirs from `createBenchmark`.
   * @param benchmarker the load tool that the configuration or the arguments ask for
   */
  constructor(deliver: (result: Result) => void, benchmarker: () => string | undefined = () => undefined) {
    this.#deliver = deliver;
    this.#benchmarker = benchmarker;
  }

  /**
   * Starts the clock. What comes before it is set-up, and is not measured.
   * @throws BenchmarkError when called more than once
   */
  start(): void {
    if (this.#startedAtNs !== undefined) {
      throw new BenchmarkError('start() was called more than once; a process measures one stretch');
    }
    this.#startedAtNs = process.hrtime.bigint();
  }

  /**
   * Stops the clock and reports operations per second.
   * @param operations how many operations ran since `start()`
   * @throws BenchmarkError without `start()`, when called twice, without a count or with one that is not above 0
   *   (0 is allowed with NODEJS_BENCHMARK_ZERO_ALLOWED), and when the clock is too coarse for what was measured
   */
  end(operations: number): void {
    // First of all, so that none of the checks is measured.
    const endedAtNs = process.hrtime.bigint();
    if (this.#startedAtNs === undefined) {
      throw new BenchmarkError(
        'end() was called without start(); call bench.start() where the measured part begins',
      );
    }
    if (this.#ended) throw new BenchmarkError('end() was called more than once; a process gives one result');
    if (typeof operations !== 'number' || Number.isNaN(operations)) {
      throw new BenchmarkError(
        'end() was called without the number of operations; pass it, as in bench.end(n)',
      );
    }
    const zeroAllowed = Boolean(process.env['NODEJS_BENCHMARK_ZERO_ALLOWED']);
    if (operations <= 0 && !zeroAllowed) {
      throw new BenchmarkError(`end() was called with ${operations} operations; there must be more than 0`);
    }
    this.#ended = true;
    const elapsedNs = endedAtNs - this.#startedAtNs;
    if (elapsedNs === 0n && !zeroAllowed) {
      throw new BenchmarkError(
        `the clock is too coarse: start() and end() read the same time; do more than ${operations} operations`,
      );
    }
    const coarse = operations > 0 ? Number.MAX_VALUE : 0;
    this.report(elapsedNs > 0n ? operations / (Number(elapsedNs) / 1e9) : coarse, elapsedNs);
  }

  /**
   * Reports a rate that was measured elsewhere, in place of `start()` and `end()`.
   * @param rate operations per second, finite and not negative
   * @param elapsedNs nanoseconds that were measured, not negative
   * @throws BenchmarkError when there is a result already, or the rate or the time is none
   */
  report(rate: number, elapsedNs: bigint): void {
    this.#finish({ rate, elapsedNs });
  }

  /**
   * Measures an operation whose loop count nobody wants to choose: warms up, takes samples for `durationMs`, and
   * reports the rate and the percentiles of the latency. Operations too short for the clock are timed in batches.
   * The sampling is tinybench's.
   * @param operation one operation; if it gives a promise, its end is waited for
   */
  async measure(operation: () => unknown, options: MeasureOptions = {}): Promise<void> {
    const { measure } = await import('./measure.ts');
    this.#finish(await measure(operation, options));
  }

  /**
   * Loads an HTTP server that this process runs, and reports the rate of its successful answers. The tool is the one that
   * `options.benchmarker`, a parameter or an argument `benchmarker` names, else the best that is there: wrk, or
   * autocannon, which always is; h2load for HTTP/2.
   * @param ended called when the load has ended, with 0 or, if there is no rate, 1; for those who come from Node core
   * @throws BenchmarkError when there is no rate that can be trusted: the server failed requests, nobody listens, the
   *   tool is missing or broke
   */
  async http(options: HttpOptions = {}, ended: (code: number) => void = () => {}): Promise<void> {
    const { loadOverHttp } = await import('./http.ts');
    let load: LoadResult;
    try {
      load = await loadOverHttp(options, this.#benchmarker(), options.port ?? PORT);
    } catch (error) {
      ended(1);
      throw error;
    }
    ended(0);
    this.#finish({ rate: load.rate, elapsedNs: BigInt(Math.round(load.durationSeconds * 1e9)), load });
  }

  #finish(result: Result): void {
    if (this.#reported)
      throw new BenchmarkError('a result was reported more than once; a process gives one result');
    if (!Number.isFinite(result.rate) || result.rate < 0) {
      throw new BenchmarkError(`the rate ${result.rate} is none; a rate is a finite number, 0 or above`);
    }
    if (typeof result.elapsedNs !== 'bigint' || result.elapsedNs < 0n) {
      throw new BenchmarkError(
        `the elapsed time ${result.elapsedNs} is none; it is a bigint of nanoseconds, 0n or above`,
      );
    }
    this.#reported = true;
    this.#deliver(result);
  }
}
