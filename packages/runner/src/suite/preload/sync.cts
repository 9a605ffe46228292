// Loaded with --require into runtimes that have module.registerHooks. It is on the way to every measurement: it reads
// one file, and adds one hook that stays.
const { readFileSync } = process.getBuiltinModule('node:fs');
const { registerHooks } = process.getBuiltinModule('node:module');

type Manifest = import('./manifest.ts', { with: { 'resolution-mode': 'import' }}).Manifest;
const { files, entry }: Manifest = JSON.parse(readFileSync(process.env['BENCH_CLI_STRIPPED'] ?? '', 'utf8'));

registerHooks({
  load(url, context, nextLoad) {
    const file = files[url] ?? files[url.split('?', 1)[0] ?? ''];
    return file === undefined ? nextLoad(url, context) : { ...file, shortCircuit: true };
  },
});

// Node.js takes more than a millisecond to find the first package with "exports", and the script knows where it is.
if (entry !== undefined) {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier !== '@bench-cli/core' || files[context.parentURL ?? ''] === undefined) {
        return nextResolve(specifier, context);
      }
      hooks.deregister();
      return { url: entry, format: 'module', shortCircuit: true };
    },
  });
}
