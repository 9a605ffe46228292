import type { InitializeHook, ResolveHook } from 'node:module';
import { bundledLocation, type Manifest, parentFor } from './manifest.ts';

/** The modules that hooks serve in runtimes without module.registerHooks. These hooks run in a thread. */
interface Served extends Manifest {
  /** The URLs of modules that a loader serves, by the names that they replace. */
  readonly modules?: ReadonlyMap<string, string>;
}

let served: Served = { forBundlers: false };

export const initialize: InitializeHook<Partial<Served>> = (given) => {
  served = { ...served, ...given };
};

export const resolve: ResolveHook = (specifier, context, nextResolve) => {
  const url = served.modules?.get(specifier) ?? bundledLocation(served, specifier, context.parentURL);
  if (url !== undefined) return { url, shortCircuit: true };
  const parentURL = parentFor(served, specifier, context.parentURL);
  return nextResolve(specifier, parentURL === undefined ? context : { ...context, parentURL });
};
