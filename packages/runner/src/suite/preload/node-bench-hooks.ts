import type { InitializeHook, ResolveHook } from 'node:module';

/** The hooks of `node-bench.cts` for runtimes without module.registerHooks, which run them in a separate thread. */
let standIn = '';

export const initialize: InitializeHook<string> = (url) => {
  standIn = url;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) =>
  specifier === 'node:bench' ? { url: standIn, shortCircuit: true } : nextResolve(specifier, context);
