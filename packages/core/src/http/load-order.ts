import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { BenchmarkError } from '../error.ts';
import type { LoadResult, ServerLoad } from './load.ts';

/** The message to the load process, a line of JSON on its standard input. */
export interface LoadOrder {
  readonly load: ServerLoad;
  /** The benchmark script. A config file is searched for in its directory and all parent directories. */
  readonly script: string;
}

/**
 * The messages from the load process, lines of JSON on its descriptor 3, since a config file may print to the
 * others: the config file before it is loaded, null after that, and finally the answer.
 */
export type LoadMessage = { readonly loading: string | null } | LoadAnswer;

export type LoadAnswer =
  | { readonly result: LoadResult }
  | { readonly error: string; readonly code: `ERR_BENCH_${string}` };

/**
 * Starts a load process, waits until it has ended, and returns its answer.
 * @param path of the program. Default: the value of BENCH_CLI_LOAD_PROCESS, or the installed program
 * @param configLimitMs time limit for loading a config file, milliseconds
 * @throws BenchmarkError if no load process is installed
 */
export async function placeOrder(
  order: LoadOrder,
  path = loadProcessFor(order.script),
  configLimitMs = 10_000,
): Promise<LoadAnswer> {
  // The same Node.js for all subjects; otherwise autocannon would affect the comparison.
  const node = process.env['BENCH_CLI_NODE'] ?? process.execPath;
  const child = spawn(node, [path], { env: environment(), stdio: ['pipe', 2, 2, 'pipe'] });
  let answer: LoadAnswer | undefined;
  let loading: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    const seconds = configLimitMs / 1000;
    answer = {
      error: `${loading} did not load within ${seconds} s; look for an endless loop or a promise that never settles`,
      code: 'ERR_BENCH_CONFIG_FILE',
    };
    child.kill('SIGKILL');
  };
  const messages = child.stdio[3];
  if (!(messages instanceof Readable)) throw new TypeError('a load process was started without its pipe');
  createInterface({ input: messages }).on('line', (line) => {
    const message: LoadMessage = JSON.parse(line);
    clearTimeout(timer);
    loading = 'loading' in message ? message.loading : null;
    if (loading !== null) timer = setTimeout(giveUp, configLimitMs);
    if (!('loading' in message)) answer = message;
  });
  child.stdin?.on('error', () => {});
  child.stdin?.write(`${JSON.stringify(order)}\n`);
  const end = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`));
    child.once('close', (code, signal) =>
      resolve(signal === null ? `exited with code ${code}` : `was killed by ${signal}`),
    );
  });
  clearTimeout(timer);
  if (answer !== undefined) return answer;
  return loading === null
    ? { error: `the load process (${node}) ${end} without a result`, code: 'ERR_BENCH_LOAD' }
    : { error: `${loading} could not be loaded: the load process ${end}`, code: 'ERR_BENCH_CONFIG_FILE' };
}

const command = '@bench-cli/cli';

/** The load process that the runner names. Without the runner, a script uses the installed one. */
function loadProcessFor(script: string): string {
  const named = process.env['BENCH_CLI_LOAD_PROCESS'];
  if (named !== undefined) return named;
  // The published command contains the runner. With pnpm, only the package of the command can resolve it.
  const manifest = resolveFrom(script, `${command}/package.json`);
  const part = manifest && join(dirname(manifest), 'parts/runner/package.json');
  for (const place of [part, manifest, script, import.meta.url]) {
    const path = resolveFrom(place, '@bench-cli/runner/load-process');
    if (path !== undefined) return path;
  }
  const problem = `bench.http() requires the package ${command}: npm install --save-dev ${command}`;
  throw new BenchmarkError('ERR_BENCH_NOT_INSTALLED', problem);
}

function resolveFrom(place: string | undefined, name: string): string | undefined {
  if (place === undefined) return undefined;
  try {
    return createRequire(place).resolve(name);
  } catch {
    return undefined;
  }
}

function environment(): NodeJS.ProcessEnv {
  const {
    NODE_OPTIONS: _options,
    NODE_RUN_BENCHMARK_FN: _phase,
    BENCH_CLI_STRIPPED: _stripped,
    BENCH_CLI_DIRECTORY: directory,
    ...env
  } = process.env;
  // Files that a killed load leaves are removed with the directory of the session.
  return directory === undefined ? env : { ...env, TMPDIR: directory };
}
