import { createRequire } from 'node:module';

type Distributions = typeof import('./distributions.ts');

let loaded: Distributions | undefined;

/** The distributions, loaded at the first call: what needs no test does not wait for them. */
export function distributions(): Distributions {
  if (loaded !== undefined) return loaded;
  // An entry of this package's `imports`, because this file runs both compiled and bundled, from different directories.
  const library: Distributions = createRequire(import.meta.url)('#distributions');
  loaded = library;
  return library;
}
