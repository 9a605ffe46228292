import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { BenchmarkError } from './error.ts';
import type { LoadResult, ServerLoad } from './load.ts';

/** What goes to the load process, as a line of JSON on its standard input. */
export interface LoadOrder {
  readonly load: ServerLoad;
  /** The benchmark script: a config file with benchmarkers of the user is looked for from there upwards. */
  readonly script: string;
}

/**
 * What comes back, each a line of JSON on its descriptor 3, since a config file may print what it likes: the config file
 * that is about to be loaded, null when that is done, and in the end the answer.
 */
export type LoadMessage = { readonly loading: string | null } | LoadAnswer;

export type LoadAnswer = { readonly result: LoadResult } | { readonly error: string };

export interface LoadProgram {
  /** Default: the one that the runner names, else that of `@bench-cli/runner` as installed beside the script. */
  readonly path?: string | undefined;
  /** Time limit for loading a config file, milliseconds; without it, one that never loads would hold the run. */
  readonly configLimitMs?: number | undefined;
}

/**
 * Starts a load process for an order, and gives its answer; the process has ended by then.
 * @throws BenchmarkError if no load process is installed
 */
export async function placeOrder(
  order: LoadOrder,
  { path = loadProcessFor(order.script), configLimitMs = 10_000 }: LoadProgram = {},
): Promise<LoadAnswer> {
  // One and the same for all subjects, or autocannon would be a part of what is compared.
  const node = process.env['BENCH_CLI_NODE'] ?? process.execPath;
  const child = spawn(node, [path], { env: environment(), stdio: ['pipe', 2, 2, 'pipe'] });
  let answer: LoadAnswer | undefined;
  let loading: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  const giveUp = () => {
    const seconds = configLimitMs / 1000;
    answer = { error: `${loading} did not load within ${seconds} s: it waits for ever, or loops for ever` };
    child.kill('SIGKILL');
  };
  onLine(child.stdio[3], (line) => {
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
  if (loading !== null) return { error: `the process that was loading ${loading} ${end}` };
  return { error: `the process that loads the server (${node}) ${end} without a result` };
}

/** The runner names its own; a script that was started by itself looks for an installed one. */
function loadProcessFor(script: string): string {
  const named = process.env['BENCH_CLI_LOAD_PROCESS'];
  if (named !== undefined) return named;
  for (const from of [script, import.meta.url]) {
    try {
      return createRequire(from).resolve('@bench-cli/runner/load-process');
    } catch {
      // Not installed there.
    }
  }
  throw new BenchmarkError(
    'ERR_BENCH_NOT_INSTALLED',
    'bench.http() needs the package bench-cli, which is not installed: npm install --save-dev bench-cli',
  );
}

function environment(): NodeJS.ProcessEnv {
  const {
    NODE_OPTIONS: _options,
    NODE_RUN_BENCHMARK_FN: _phase,
    BENCH_CLI_STRIPPED: _stripped,
    BENCH_CLI_DIRECTORY: directory,
    ...env
  } = process.env;
  // What a load that is killed leaves behind goes with the session.
  return directory === undefined ? env : { ...env, TMPDIR: directory };
}

function onLine(stream: unknown, listener: (line: string) => void): void {
  if (!(stream instanceof Readable)) return;
  let rest = '';
  stream.setEncoding('utf8').on('data', (part: string) => {
    const lines = (rest + part).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) listener(line);
  });
}
