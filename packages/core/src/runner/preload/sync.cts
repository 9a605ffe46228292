// Loaded with --require into runtimes that have module.registerHooks. It is on the way to every measurement: it reads
// one file and adds one hook.
const { readFileSync } = process.getBuiltinModule('node:fs');
const { registerHooks } = process.getBuiltinModule('node:module');

type Manifest = import('./manifest.ts', { with: { 'resolution-mode': 'import' }}).Manifest;
const manifest: Manifest = JSON.parse(readFileSync(process.env['BENCH_CLI_STRIPPED'] ?? '', 'utf8'));

registerHooks({
  load(url, context, nextLoad) {
    const file = manifest[url] ?? manifest[url.split('?', 1)[0] ?? ''];
    return file === undefined ? nextLoad(url, context) : { ...file, shortCircuit: true };
  },
});
