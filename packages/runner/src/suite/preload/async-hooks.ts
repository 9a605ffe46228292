import type { InitializeHook, LoadHook, ResolveHook } from 'node:module';
import type { Manifest } from './manifest.ts';
import { fileAt, locationOf, parentFor } from './manifest-entry.ts';

/** The hooks of `async.ts`, which Node.js runs in a separate thread. */
let manifest: Manifest = { files: {}, locations: {} };

export const initialize: InitializeHook<Manifest> = (given) => {
  manifest = given;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const url = locationOf(manifest, specifier, context.parentURL);
  if (url !== undefined) return { url, shortCircuit: true };
  const parentURL = parentFor(manifest.imports, specifier, context.parentURL ?? '');
  return nextResolve(specifier, parentURL === undefined ? context : { ...context, parentURL });
};

export const load: LoadHook = (url, context, nextLoad) => {
  const file = fileAt(manifest, url);
  if (file === undefined) return nextLoad(url, context);
  // Without a source, the loader of CommonJS modules of the main thread loads the file.
  return { ...(file.format === 'commonjs' ? { format: file.format } : file), shortCircuit: true };
};
