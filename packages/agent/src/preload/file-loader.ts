import Module, { createRequire, register, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { DeclaredOrder } from '../order.ts';

/** Modules by specifier. The default export is the property `default`, or else the module itself. */
type Modules = Readonly<Record<string, object>>;

export async function loadFile(format: DeclaredOrder['format'], modules: Modules): Promise<unknown[]> {
  const loader = createRequire(import.meta.url);
  // The file and its child processes must not see the loader.
  process.argv.splice(1, 1);
  delete loader.cache[fileURLToPath(import.meta.url)];
  serve(format, modules);
  const path = process.argv[1] ?? '';
  const exported: unknown =
    format === 'commonjs' ? createRequire(path)(path) : await import(pathToFileURL(path).href);
  return [exported, ...Object.values(Object(exported))];
}

function serve(format: DeclaredOrder['format'], modules: Modules): void {
  // The first argument of both functions is the name of a module.
  for (const [owner, name] of [
    [Module, '_load'],
    [process, 'getBuiltinModule'],
  ] as const) {
    const load: unknown = Reflect.get(owner, name);
    if (typeof load !== 'function') continue;
    Reflect.set(owner, name, function (this: unknown, request: string, ...rest: unknown[]) {
      return Object.hasOwn(modules, request)
        ? modules[request]
        : Reflect.apply(load, this, [request, ...rest]);
    });
  }
  Reflect.set(globalThis, Symbol.for('bench-cli modules'), modules);
  const urls = new Map<string, string>();
  for (const [specifier, api] of Object.entries(modules)) {
    const names = Object.keys(api).filter((name) => name !== 'default');
    const source = `const api = globalThis[Symbol.for('bench-cli modules')]['${specifier}']; export default 'default' in api ? api.default : api; export const { ${names.join(', ')} } = api;`;
    urls.set(specifier, `data:text/javascript,${encodeURIComponent(source)}`);
  }
  if (typeof registerHooks === 'function') {
    registerHooks({
      resolve(specifier, context, nextResolve) {
        const url = urls.get(specifier);
        return url === undefined
          ? nextResolve(specifier, context)
          : { url, format: 'module', shortCircuit: true };
      },
    });
  } else if (format === 'module') {
    // The thread of these hooks takes as long as the start of a process.
    register('../preload/async-hooks.js', import.meta.url, { data: { modules: urls } });
  }
}
