// Loaded with --require into runtimes with module.registerHooks. Every run loads it, so it reads only one file and adds
// only the hooks that are needed.
const { readFileSync } = process.getBuiltinModule('node:fs');
const { createRequire, registerHooks } = process.getBuiltinModule('node:module');

type Manifest = import('./manifest.ts', { with: { 'resolution-mode': 'import' }}).Manifest;
type Packages = typeof import('./packages.ts', { with: { 'resolution-mode': 'import' }});
const { files, locations, entry, imports }: Manifest = JSON.parse(
  readFileSync(process.env['BENCH_CLI_STRIPPED'] ?? '', 'utf8'),
);

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

if (Object.keys(locations).length > 0) {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isRelative = /^\.{1,2}(?:\/|$)/.test(specifier) && context.parentURL !== undefined;
      const url = isRelative
        ? locations[new URL(specifier, context.parentURL).href.replace(/\/$/, '')]
        : undefined;
      return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
    },
  });
}

if (imports !== undefined) {
  const { pathToFileURL } = process.getBuiltinModule('node:url');
  const { parentFor }: Packages = require('./packages.js');
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const parentURL = parentFor(imports, specifier, context.parentURL ?? '');
      if (parentURL === undefined) return nextResolve(specifier, context);
      // For `require`, Node.js does not look at the parent of the context.
      return context.conditions.includes('require')
        ? { url: pathToFileURL(createRequire(parentURL).resolve(specifier)).href, shortCircuit: true }
        : nextResolve(specifier, { ...context, parentURL });
    },
  });
}
