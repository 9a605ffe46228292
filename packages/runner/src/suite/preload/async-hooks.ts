import type { InitializeHook, LoadHook } from 'node:module';
import type { Manifest } from './manifest.ts';

/** The hooks of `async.ts`, which Node.js runs in a separate thread. */
let files: Manifest['files'] = {};

export const initialize: InitializeHook<Manifest> = (manifest) => {
  files = manifest.files;
};

export const load: LoadHook = (url, context, nextLoad) => {
  const file = files[url] ?? files[url.split('?', 1)[0] ?? ''];
  if (file === undefined) return nextLoad(url, context);
  // Without a source, the loader of CommonJS modules of the main thread loads the file.
  return { ...(file.format === 'commonjs' ? { format: file.format } : file), shortCircuit: true };
};
