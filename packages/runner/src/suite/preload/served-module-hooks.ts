import type { InitializeHook, ResolveHook } from 'node:module';

/** The URLs of the modules that a loader serves in place of those of these names. */
export type ServedModules = Record<string, string>;

/** The hooks of loaders for runtimes without module.registerHooks, which run them in a separate thread. */
let served: ServedModules = {};

export const initialize: InitializeHook<ServedModules> = (modules) => {
  served = modules;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const url = served[specifier];
  return url === undefined ? nextResolve(specifier, context) : { url, shortCircuit: true };
};
