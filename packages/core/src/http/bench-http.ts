import { BenchmarkError } from '../error.ts';
import type { OwnMetrics } from '../own-metrics.ts';
import type { Protocol, ServerLoad } from './load.ts';
import { placeOrder } from './load-order.ts';

/** Options of `bench.http()`. Unless documented otherwise, the benchmarker sets the defaults. */
export interface HttpOptions extends Omit<ServerLoad, 'port' | 'durationSeconds' | 'cpuSet'> {
  /** Default: `PORT`. */
  readonly port?: number | undefined;
  /** Seconds of the measured part. Default 10. */
  readonly duration?: number | undefined;
  /** Further values beside the rate, as for `bench.end()`. A function computes them after the load. */
  readonly metrics?: OwnMetrics;
}

/** The share of an arrival rate that must be answered. */
const LEAST_REACHED = 0.95;

/**
 * Loads a server from a separate process, so that the load tool and its driver do not share the event loop,
 * the heap or the version of the measured runtime. The load process ends with this process.
 * @throws BenchmarkError with code and message of the `LoadError` if there is no rate that can be trusted
 */
export async function loadOverHttp(options: HttpOptions, chosen: string | undefined, port: number) {
  const { duration, benchmarker, metrics: _, ...rest } = options;
  const cpuSet = process.env['BENCH_CLI_LOAD_CPUSET'];
  const named = benchmarker ?? chosen;
  // In test mode one real request, without a load tool, shows whether the benchmark works.
  const doubled = named === undefined && process.env['BENCH_CLI_TEST'] !== undefined;
  const protocol: Protocol = options.protocol ?? options.scheme ?? 'http';
  const name = doubled ? `test-double-${protocol}` : named;
  const load: ServerLoad = {
    ...rest,
    ...(doubled && { warmUpSeconds: 0, findRate: undefined }),
    port,
    ...(duration !== undefined && { durationSeconds: duration }),
    ...(name !== undefined && { benchmarker: name }),
    ...(cpuSet !== undefined && { cpuSet }),
  };
  const answer = await placeOrder({ load, script: process.argv[1] ?? '' });
  if ('error' in answer) throw new BenchmarkError(answer.code, answer.error);
  const { requests, durationSeconds } = answer.result;
  const arrivalRate = doubled ? 0 : (options.arrivalRate ?? 0);
  const reached = requests / durationSeconds;
  if (reached >= LEAST_REACHED * arrivalRate) return answer.result;
  const problem = `the server answered only ${Math.round(reached)} of ${arrivalRate} requests per second, so the latencies are those of another load: use a lower arrivalRate, or more connections`;
  throw new BenchmarkError('ERR_BENCH_LOAD_ARRIVAL_RATE', problem);
}
