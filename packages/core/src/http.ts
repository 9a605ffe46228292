import { spawn } from 'node:child_process';
import type { LoadResult, Protocol, ServerLoad, ToolOptions } from '@bench-cli/benchmarkers';
import { BenchmarkError } from './error.ts';

/** Options of `bench.http()`; those that have no other default are the benchmarker's. */
export interface HttpOptions extends Omit<ServerLoad, 'port' | 'durationSeconds' | 'cpuSet'> {
  /** Default: `PORT`. */
  readonly port?: number | undefined;
  /** Seconds of the measured part. Default 10. */
  readonly duration?: number | undefined;
}

/** What goes to the load process, as a line of JSON on its standard input. */
export interface LoadOrder {
  readonly load: ServerLoad;
  /** The benchmark script: a config file with benchmarkers of the user is looked for from there upwards. */
  readonly script: string;
}

/** What comes back, as JSON on its descriptor 3: a config file may print what it likes. */
export type LoadAnswer = { readonly result: LoadResult } | { readonly error: string };

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
  const answer = await askLoadProcess({ load, script: process.argv[1] ?? '' });
  if ('error' in answer) throw new BenchmarkError(answer.error);
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

async function askLoadProcess(order: LoadOrder): Promise<LoadAnswer> {
  // One and the same for all subjects, or autocannon would be a part of what is compared.
  const node = process.env['BENCH_CLI_NODE'] ?? process.execPath;
  const {
    NODE_OPTIONS: _options,
    NODE_RUN_BENCHMARK_FN: _phase,
    BENCH_CLI_STRIPPED: _stripped,
    BENCH_CLI_DIRECTORY: directory,
    ...env
  } = process.env;
  // What a load that is killed leaves behind goes with the session.
  if (directory !== undefined) env['TMPDIR'] = directory;
  const script = decodeURIComponent(new URL('../load-process.js', import.meta.url).pathname);
  const child = spawn(node, [script], { env, stdio: ['pipe', 2, 2, 'pipe'] });
  const output: Buffer[] = [];
  child.stdio[3]?.on('data', (part: Buffer) => output.push(part));
  child.stdin?.on('error', () => {});
  child.stdin?.write(`${JSON.stringify(order)}\n`);
  const end = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('close', (code, signal) =>
      resolve(signal === null ? `exited with code ${code}` : `was killed by ${signal}`),
    );
  });
  try {
    const answer: LoadAnswer = JSON.parse(String(Buffer.concat(output)));
    return answer;
  } catch {
    return { error: `the process that loads the server (${node}) ${end} without a result` };
  }
}
