import Module, { createRequire, register, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Measurement, probe, reportUncaught, secondsOf } from '@bench-cli/core/other-tools';
import type { ReportMessage } from '@bench-cli/core/protocol';
import { writeMessage } from '../../message-writer.ts';
import { type DeclaredOrder, takeOrder } from '../../order.ts';

/** The task of the process with the file that it loads. */
export const order: DeclaredOrder = takeOrder('BENCH_CLI_DECLARED');
const channel = Number(process.env['BENCH_CLI_CHANNEL']);

/** Modules by their specifiers. The property `default` of a module, or itself, is its default export. */
type Modules = Readonly<Record<string, object>>;

/**
 * Loads the file of this process, and serves modules to it. What it does not catch is reported.
 * @param isIgnored whether such an error is not reported
 */
export async function loadFile(
  modules: Modules,
  isIgnored: (message: string) => boolean = () => false,
): Promise<void> {
  reportUncaught((thrown) => {
    if (!isIgnored(thrown.message)) send({ type: 'error', ...thrown });
  });
  const loader = createRequire(import.meta.url);
  // The file and its child processes must not see the loader.
  delete process.env['BENCH_CLI_CHANNEL'];
  process.argv.splice(1, 1);
  delete loader.cache[fileURLToPath(import.meta.url)];
  serve(modules);
  const path = process.argv[1] ?? '';
  if (order.format === 'commonjs') createRequire(path)(path);
  else await import(pathToFileURL(path).href);
}

function serve(modules: Modules): void {
  // Both take the name of a module first.
  for (const [owner, name] of [
    [Module, '_load'],
    [process, 'getBuiltinModule'],
  ] as const) {
    const load: unknown = Reflect.get(owner, name);
    if (typeof load !== 'function') continue;
    Reflect.set(owner, name, function (this: unknown, request: string, ...rest: unknown[]) {
      return modules[request] ?? Reflect.apply(load, this, [request, ...rest]);
    });
  }
  Reflect.set(globalThis, Symbol.for('bench-cli modules'), modules);
  const urls: Record<string, string> = {};
  for (const [specifier, api] of Object.entries(modules)) {
    const names = Object.keys(api).filter((name) => name !== 'default');
    const source = `const api = globalThis[Symbol.for('bench-cli modules')]['${specifier}']; export default 'default' in api ? api.default : api; export const { ${names.join(', ')} } = api;`;
    urls[specifier] = `data:text/javascript,${encodeURIComponent(source)}`;
  }
  if (typeof registerHooks === 'function') {
    registerHooks({
      resolve(specifier, context, nextResolve) {
        const url = urls[specifier];
        return url === undefined
          ? nextResolve(specifier, context)
          : { url, format: 'module', shortCircuit: true };
      },
    });
  } else if (order.format === 'module') {
    // The thread of these hooks takes as long as the start of a process.
    register('./async-hooks.js', import.meta.url, { data: { modules: urls } });
  }
}

export function sendReport({
  elapsedNs,
  ...result
}: Pick<ReportMessage, 'name' | 'conf' | 'clockStepNs'> & Pick<Measurement, 'rate' | 'elapsedNs'>): void {
  const metrics = probe && { metrics: probe.values() };
  send({ type: 'report', ...result, time: secondsOf(elapsedNs), ...metrics });
}

/** Sends a message to the runner. It has been delivered when the call returns. */
export function send(message: object): void {
  writeMessage(channel, message);
}
