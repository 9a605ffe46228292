import { createRequire } from 'node:module';

type Distributions = typeof import('./distributions.ts');

const require = createRequire(import.meta.url);
let loaded: Distributions | undefined;

/** The distributions, loaded at the first call: whoever only reads or writes CSV does not pay for them. */
export function distributions(): Distributions {
  if (loaded !== undefined) return loaded;
  // A name of this package, since this file is executed both compiled and bundled, from different directories.
  const library: Distributions = require('#distributions');
  loaded = library;
  return library;
}
