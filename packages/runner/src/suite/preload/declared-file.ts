import { writeSync } from 'node:fs';
import Module, { createRequire, register, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import {
  BenchmarkError,
  describe,
  type Measurement,
  measure,
  probe,
  secondsOf,
  type TaskOptions,
} from '@bench-cli/core/loader';
import { type DeclaredOrder, declaredVariable } from './declared-order.ts';
import type { ServedModule } from './served-module-hooks.ts';

/** What a file declares. */
export interface Declaration {
  readonly namePath: readonly string[];
  /** Why it does not run: `only` if others are declared with it. */
  readonly skip?: true | string | undefined;
}

const order: DeclaredOrder = JSON.parse(process.env[declaredVariable] ?? '');
const channel = Number(process.env['BENCH_CLI_CHANNEL']);
let sent = false;

const selected: readonly string[] | undefined = order.run && JSON.parse(order.run)[0];

/** Whether the file only reports what it declares. */
export const isPlanning: boolean = selected === undefined;

/** Whether the process runs this benchmark. */
export function isSelected(namePath: readonly string[]): boolean {
  return selected?.length === namePath.length && contains(namePath);
}

/** Whether this is the suite or test that contains the benchmark of the process. */
export function contains(path: readonly string[]): boolean {
  return path.every((name, at) => name === selected?.[at]);
}

/**
 * Loads the file of this process, and serves a module to it. An error of the file ends the process.
 * @param api the exports of the module
 */
export async function loadFile(specifier: string, api: Readonly<Record<string, unknown>>): Promise<void> {
  // The file and its child processes must not see the loader.
  delete process.env[declaredVariable];
  delete process.env['BENCH_CLI_CHANNEL'];
  process.argv.splice(1, 1);
  process.on('uncaughtException', fail);
  process.on('exit', () => {
    if (sent || selected === undefined) return;
    send({ type: 'error', message: `the file ended without running ${selected.join(' > ')}` });
  });
  serve(specifier, api);
  const path = process.argv[1] ?? '';
  try {
    if (order.format === 'commonjs') createRequire(path)(path);
    else await import(pathToFileURL(path).href);
  } catch (error) {
    fail(error);
  }
}

function serve(specifier: string, api: Readonly<Record<string, unknown>>): void {
  const load: unknown = Reflect.get(Module, '_load');
  Reflect.set(Module, '_load', function (this: unknown, request: unknown, ...rest: unknown[]) {
    if (request === specifier) return api;
    return typeof load === 'function' ? Reflect.apply(load, this, [request, ...rest]) : undefined;
  });
  const symbol = `bench-cli ${specifier}`;
  Reflect.set(globalThis, Symbol.for(symbol), api);
  const names = Object.keys(api).filter((name) => name !== 'default');
  const source = `const api = globalThis[Symbol.for('${symbol}')]; export default api.default; export const { ${names.join(', ')} } = api;`;
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  if (typeof registerHooks === 'function') {
    registerHooks({
      resolve: (wanted, context, nextResolve) =>
        wanted === specifier ? { url, format: 'module', shortCircuit: true } : nextResolve(wanted, context),
    });
  } else if (order.format === 'module') {
    const data: ServedModule = { specifier, url };
    register('./served-module-hooks.js', import.meta.url, { data });
  }
}

/** Ends the planning of the file. */
export function reportDeclarations(declarations: readonly Declaration[]): void {
  if (sent) return;
  send({
    type: 'declarations',
    declarations: declarations.map((declaration) => ({ ...declaration, params: {}, tags: [] })),
    failed: [],
  });
}

/** Measures the benchmark of this process, and reports its result. An error ends the process. */
export async function measureBenchmark(
  namePath: readonly string[],
  operation: () => unknown,
  options: TaskOptions,
): Promise<void> {
  try {
    report(namePath, await measure(operation, options));
  } catch (error) {
    fail(error);
  }
}

function report(namePath: readonly string[], { rate, elapsedNs, latency }: Measurement): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  send({
    type: 'report',
    name: namePath.join(' > '),
    conf: {},
    rate,
    time: secondsOf(elapsedNs),
    usage: { userCpuUs: userCPUTime, systemCpuUs: systemCPUTime, maxRssKiB: maxRSS },
    latency,
    ...(probe && { metrics: probe.values() }),
  });
}

/** Reports an error of the file, and ends the process. */
export function fail(thrown: unknown): never {
  if (!sent) send({ type: 'error', ...describe(thrown) });
  process.exit(1);
}

/** An error for what a file uses of its tool that bench-cli does not have. */
export function unsupported(message: string): Error {
  return new BenchmarkError('ERR_BENCH_UNSUPPORTED', message);
}

function send(message: object): void {
  sent = true;
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(channel, bytes, offset);
}
