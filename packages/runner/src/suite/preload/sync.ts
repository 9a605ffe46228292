import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Manifest, manifestVariable } from './manifest.ts';
import { fileAt, locationOf, parentFor } from './manifest-entry.ts';

// Loaded with --require into runtimes with module.registerHooks. Every run loads its bundle, so it reads only one file and adds
// only the hooks that are needed.
const manifest: Manifest = JSON.parse(readFileSync(process.env[manifestVariable] ?? '', 'utf8'));
const { entry, imports } = manifest;

registerHooks({
  load(url, context, nextLoad) {
    const file = fileAt(manifest, url);
    return file === undefined ? nextLoad(url, context) : { ...file, shortCircuit: true };
  },
});

// Resolving the first package with "exports" takes Node.js more than a millisecond, and the URL is known here.
if (entry !== undefined) {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier !== '@bench-cli/core' || manifest.files[context.parentURL ?? ''] === undefined) {
        return nextResolve(specifier, context);
      }
      hooks.deregister();
      return { url: entry, format: 'module', shortCircuit: true };
    },
  });
}

if (Object.keys(manifest.locations).length > 0) {
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const url = locationOf(manifest, specifier, context.parentURL);
      return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
    },
  });
}

if (imports !== undefined) {
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
