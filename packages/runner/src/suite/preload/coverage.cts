/**
 * Notes which functions of the modules of Node.js the code of a suite calls. Loaded with --require into every process of a
 * session that measures coverage. Functions are replaced by proxies, which keep their properties and prototypes, in the
 * modules themselves, so that CommonJS and ES modules get them.
 */
{
  type Order = import('../../order.ts', { with: { 'resolution-mode': 'import' }}).CoverageOrder;
  const { appendFileSync, existsSync }: typeof import('node:fs') = require('node:fs');
  const Module: typeof import('node:module') = require('node:module');
  const { fileURLToPath }: typeof import('node:url') = require('node:url');

  const { suite, functions, called }: Order = JSON.parse(process.env['BENCH_CLI_COVERAGE'] ?? '');
  /** Loading them has an effect, they replace themselves, or, with --expose-internals, are no modules. */
  const skipped = [
    'cluster',
    'inspector',
    'internal',
    'module',
    'repl',
    'trace_events',
    'node:bench',
    'node:test',
    'wasi',
  ];

  interface Wrapped {
    readonly proxy: object;
    /** A line for each name: the same function can have several, in several modules. */
    readonly lines: Set<string>;
  }
  /** Wrapped functions, by function and by proxy. */
  const wrapped = new Map<object, Wrapped>();
  for (const id of Module.builtinModules) {
    if (!id.startsWith('_') && !skipped.some((name) => id === name || id.startsWith(`${name}/`))) wrap(id);
  }
  Module.syncBuiltinESMExports();
  const known = Array.from(wrapped.values(), ({ lines }) => [...lines].join(''));
  if (!existsSync(functions)) appendFileSync(functions, known.join(''));

  function wrap(id: string): void {
    const module = `node:${id.replace(/^node:/, '')}`;
    const exports: object = require(id);
    for (const [name, { value, writable }] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
      if (typeof value !== 'function' || writable !== true || name.startsWith('_')) continue;
      const { proxy, lines } = wrapped.get(value) ?? wrapFunction(value);
      lines.add(`${module} ${name}\n`);
      Reflect.set(exports, name, proxy);
    }
  }

  function wrapFunction(original: (...args: unknown[]) => unknown): Wrapped {
    const lines = new Set<string>();
    let isNoted = false;
    const note = () => {
      if (isNoted || !isCalledBySuite()) return;
      isNoted = true;
      appendFileSync(called, [...lines].join(''));
    };
    const proxy = new Proxy(original, {
      apply(target, self, args) {
        note();
        return Reflect.apply(target, self, args);
      },
      construct(target, args, newTarget) {
        note();
        return Reflect.construct(target, args, newTarget);
      },
    });
    const entry = { proxy, lines };
    wrapped.set(original, entry).set(proxy, entry);
    return entry;
  }

  /** Whether the caller of the proxy is in a group of the suite, and not in Node.js or in what the groups share. */
  function isCalledBySuite(): boolean {
    const { prepareStackTrace, stackTraceLimit } = Error;
    const holder: { stack?: readonly NodeJS.CallSite[] } = {};
    Error.stackTraceLimit = 3;
    Error.prepareStackTrace = (_, sites) => sites;
    Error.captureStackTrace(holder, isCalledBySuite);
    // The proxy's note and trap come first.
    const file = holder.stack?.[2]?.getFileName() ?? '';
    Object.assign(Error, { prepareStackTrace, stackTraceLimit });
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return path.startsWith(suite) && path.slice(suite.length + 1).includes('/');
  }
}
