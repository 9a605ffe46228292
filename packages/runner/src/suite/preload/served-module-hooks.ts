import type { InitializeHook, ResolveHook } from 'node:module';

/** A module that a loader serves in place of the one of that name. */
export interface ServedModule {
  readonly specifier: string;
  readonly url: string;
}

/** The hooks of loaders for runtimes without module.registerHooks, which run them in a separate thread. */
let served: ServedModule | undefined;

export const initialize: InitializeHook<ServedModule> = (module) => {
  served = module;
};

export const resolve: ResolveHook = (specifier, context, nextResolve) =>
  specifier === served?.specifier ? { url: served.url, shortCircuit: true } : nextResolve(specifier, context);
