import type { InitializeHook, LoadHook } from 'node:module';
import type { Manifest } from './manifest.ts';

/** The hooks of `async.ts`; Node.js runs them in a thread of their own. */
let manifest: Manifest = {};

export const initialize: InitializeHook<Manifest> = (data) => {
  manifest = data;
};

export const load: LoadHook = (url, context, nextLoad) => {
  const file = manifest[url] ?? manifest[url.split('?', 1)[0] ?? ''];
  return file === undefined ? nextLoad(url, context) : { ...file, shortCircuit: true };
};
