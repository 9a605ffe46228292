import type { InitializeHook, ResolveHook } from 'node:module';
import { bundledLocation, type Manifest, parentFor } from './manifest.ts';

/** The hooks of `async.ts`, which Node.js runs in a separate thread. */
let manifest: Manifest = { forBundlers: false };

export const initialize: InitializeHook<Manifest> = (given) => {
  manifest = given;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const url = bundledLocation(manifest, specifier, context.parentURL);
  if (url !== undefined) return { url, shortCircuit: true };
  const parentURL = parentFor(manifest, specifier, context.parentURL);
  return nextResolve(specifier, parentURL === undefined ? context : { ...context, parentURL });
};
