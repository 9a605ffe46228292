/**
 * Loaded with --require into a process of a benchmark that is not measured: when it ends, it writes which files it has read, and whether it has
 * started workers or other processes.
 */
{
  const directory = process.env['BENCH_CLI_IMPORTED_FILES'];
  // It also tells which modules are loaded.
  require('./imported-files.cjs');
  // The benchmark, its workers and its child processes must not see this file.
  delete require.cache[__filename];
  const at = process.execArgv.indexOf(__filename);
  if (at > 0) process.execArgv.splice(at - 1, 2);
  if (directory !== undefined) {
    const fs: typeof import('node:fs') = require('node:fs');
    const childProcess: typeof import('node:child_process') = require('node:child_process');
    const { subscribe }: typeof import('node:diagnostics_channel') = require('node:diagnostics_channel');
    const module: typeof import('node:module') = require('node:module');
    const { join, resolve }: typeof import('node:path') = require('node:path');
    const { fileURLToPath, pathToFileURL }: typeof import('node:url') = require('node:url');
    const { realpathSync, writeFileSync } = fs;
    const paths = new Set<string>();
    const unseen = new Set<string>();
    const children: { readonly spawnargs?: readonly string[] }[] = [];

    const watch = (owner: object, names: readonly string[], note: (argument: unknown) => void) => {
      for (const name of names) {
        const original: unknown = Reflect.get(owner, name);
        if (typeof original !== 'function') continue;
        const watched = function (this: unknown, ...args: readonly unknown[]) {
          note(args[0]);
          return Reflect.apply(original, this, args);
        };
        Reflect.set(
          owner,
          name,
          Object.defineProperties(watched, Object.getOwnPropertyDescriptors(original)),
        );
      }
    };
    const notePath = (path: unknown) => {
      if (typeof path === 'string' || Buffer.isBuffer(path)) paths.add(resolve(path.toString()));
      else if (path instanceof URL && path.protocol === 'file:') paths.add(fileURLToPath(path));
    };
    const readers = [
      'open',
      'openSync',
      'readFile',
      'readFileSync',
      'readdir',
      'readdirSync',
      'opendir',
      'opendirSync',
    ];
    watch(fs, readers, notePath);
    watch(fs.promises, readers, notePath);
    const synchronous = ['spawnSync', 'execSync', 'execFileSync'];
    watch(childProcess, synchronous, () => unseen.add('starts another process'));
    module.syncBuiltinESMExports();
    subscribe('worker_threads', () => unseen.add('starts a worker'));
    subscribe('child_process', (message) => children.push(Object(message).process));
    // A module can be data, such as JSON. Older releases do not have it.
    module.registerHooks?.({
      load: (url, context, next) => {
        if (url.startsWith('file:')) paths.add(fileURLToPath(url));
        return next(url, context);
      },
    });

    process.once('exit', () => {
      const load = process.env['BENCH_CLI_LOAD_PROCESS'];
      const isOther = ({ spawnargs = [] }: (typeof children)[number]) =>
        !spawnargs.some((arg) => arg === load);
      if (children.some(isOther)) unseen.add('starts another process');
      const found = [...paths, ...Object.keys(require.cache)].flatMap((path) => {
        try {
          return [pathToFileURL(realpathSync(path)).href];
        } catch {
          return [];
        }
      });
      writeFileSync(
        join(directory, `${process.pid}-${process.hrtime.bigint()}.json`),
        JSON.stringify([...found, ...Array.from(unseen, (what) => `unseen:${what}`)]),
      );
    });
  }
}
