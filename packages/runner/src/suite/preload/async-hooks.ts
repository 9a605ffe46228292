import type { InitializeHook, LoadHook } from 'node:module';
import type { Manifest } from './manifest.ts';

/** The hooks of `async.ts`, which Node.js runs in a separate thread. */
let files: Manifest['files'] = {};

export const initialize: InitializeHook<Manifest> = (manifest) => {
  files = manifest.files;
};

export const load: LoadHook = (url, context, nextLoad) => {
  const file = files[url] ?? files[url.split('?', 1)[0] ?? ''];
  return file === undefined ? nextLoad(url, context) : { ...file, shortCircuit: true };
};
