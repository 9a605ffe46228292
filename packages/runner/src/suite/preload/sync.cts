// Loaded with --require into runtimes with module.registerHooks. Every run loads it, so it reads only one file and adds
// only one permanent hook.
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

// Resolving the first package with "exports" takes Node.js more than a millisecond, and the URL is known here.
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
