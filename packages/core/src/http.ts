import type { LoadResult, Protocol, ServerLoad, ToolOptions } from './load.ts';
import { BenchmarkError } from './error.ts';
import { placeOrder } from './load-order.ts';

/** Options of `bench.http()`; those that have no other default are the benchmarker's. */
export interface HttpOptions extends Omit<ServerLoad, 'port' | 'durationSeconds' | 'cpuSet'> {
  /** Default: `PORT`. */
  readonly port?: number | undefined;
  /** Seconds of the measured part. Default 10. */
  readonly duration?: number | undefined;
}

/**
 * Loads a server from a process of its own, so that neither the load tool nor what drives it shares the event loop, the
 * heap or the version of the runtime that is measured. The load process ends when this one does: its input ends.
 * @throws BenchmarkError with the whole message of the benchmarker when there is no rate that can be trusted
 */
export async function loadOverHttp(
  options: HttpOptions,
  chosen: string | undefined,
  port: number,
): Promise<LoadResult> {
  const { duration, benchmarker, ...rest } = options;
  const cpuSet = process.env['BENCH_CLI_LOAD_CPUSET'];
  const named = benchmarker ?? chosen;
  const doubled = named === undefined && testing();
  const name = doubled ? testDouble(options) : named;
  const load: ServerLoad = {
    ...(doubled ? forOneRequest(rest) : rest),
    port,
    ...(duration !== undefined && { durationSeconds: duration }),
    ...(name !== undefined && { benchmarker: name }),
    ...(cpuSet !== undefined && { cpuSet }),
  };
  const answer = await placeOrder({ load, script: process.argv[1] ?? '' });
  if ('error' in answer) throw new BenchmarkError('ERR_BENCH_LOAD', answer.error);
  return answer.result;
}

function testing(): boolean {
  return process.env['BENCH_CLI_TEST'] !== undefined;
}

/** In test mode one real request tells whether the benchmark works, without a load tool. */
function testDouble({ protocol, scheme }: HttpOptions): string {
  const spoken: Protocol = protocol ?? scheme ?? 'http';
  return `test-double-${spoken}`;
}

/** What says how hard a tool is to load the server means nothing for one request, and a double would refuse it. */
function forOneRequest<T extends ToolOptions>({
  requests: _requests,
  threads: _threads,
  clients: _clients,
  maxConcurrentStreams: _streams,
  initialWindowSize: _window,
  sessionInitialWindowSize: _sessionWindow,
  rate: _rate,
  ratePeriod: _ratePeriod,
  headerTableSize: _table,
  encoderHeaderTableSize: _encoderTable,
  ...rest
}: T) {
  return rest;
}
