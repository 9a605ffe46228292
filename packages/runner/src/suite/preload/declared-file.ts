import { writeSync } from 'node:fs';
import Module, { createRequire, register, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { probe, processUsage, secondsOf } from '@bench-cli/core/loader';
import { type DeclaredOrder, declaredVariable } from './declared-order.ts';
import type { ServedModule } from './served-module-hooks.ts';

/** What the process does with the file that it loads. */
export const order: DeclaredOrder = JSON.parse(process.env[declaredVariable] ?? '');
const channel = Number(process.env['BENCH_CLI_CHANNEL']);

/**
 * Loads the file of this process, and serves a module to it.
 * @param api the module: its property `default`, or itself, is the default export
 * @param names of its other exports
 */
export async function loadFile(specifier: string, api: object, names: readonly string[]): Promise<void> {
  const loader = createRequire(import.meta.url);
  // The file and its child processes must not see the loader.
  delete process.env[declaredVariable];
  delete process.env['BENCH_CLI_CHANNEL'];
  process.argv.splice(1, 1);
  delete loader.cache[fileURLToPath(import.meta.url)];
  serve(specifier, api, names);
  const path = process.argv[1] ?? '';
  if (order.format === 'commonjs') createRequire(path)(path);
  else await import(pathToFileURL(path).href);
}

function serve(specifier: string, api: object, names: readonly string[]): void {
  const load: unknown = Reflect.get(Module, '_load');
  Reflect.set(Module, '_load', function (this: unknown, request: unknown, ...rest: unknown[]) {
    if (request === specifier) return api;
    return typeof load === 'function' ? Reflect.apply(load, this, [request, ...rest]) : undefined;
  });
  const symbol = `bench-cli ${specifier}`;
  Reflect.set(globalThis, Symbol.for(symbol), api);
  const source = `const api = globalThis[Symbol.for('${symbol}')]; export default 'default' in api ? api.default : api; export const { ${names.join(', ')} } = api;`;
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  if (typeof registerHooks === 'function') {
    registerHooks({
      resolve: (wanted, context, nextResolve) =>
        wanted === specifier ? { url, format: 'module', shortCircuit: true } : nextResolve(wanted, context),
    });
  } else if (order.format === 'module') {
    const data: ServedModule = { specifier, url };
    // The thread of these hooks takes as long as the start of a process.
    register('./served-module-hooks.js', import.meta.url, { data });
  }
}

/** Sends the result of the benchmark of this process. */
export function sendReport(
  {
    elapsedNs,
    ...result
  }: { readonly name: string; readonly conf: object; readonly rate: number } & {
    readonly elapsedNs: bigint;
    readonly latency?: object;
  },
  usage?: NodeJS.ResourceUsage,
): void {
  send({
    type: 'report',
    ...result,
    time: secondsOf(elapsedNs),
    usage: processUsage(usage),
    ...(probe && { metrics: probe.values() }),
  });
}

/** Sends a message to the runner. It has been delivered when the call returns. */
export function send(message: object): void {
  const bytes = Buffer.from(`${JSON.stringify(message)}\n`);
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(channel, bytes, offset);
}
