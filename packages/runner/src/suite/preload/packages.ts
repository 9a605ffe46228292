import type { Manifest } from './manifest.ts';

/** The URL of the file that is to import a package in place of the importing file; undefined if that imports it itself. */
export function parentFor(
  imports: Manifest['imports'],
  specifier: string,
  importer: string,
): string | undefined {
  const [name = ''] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  const parent = imports?.[name];
  // What is installed imports its own dependencies.
  return parent === importer || importer.includes('/node_modules/') ? undefined : parent;
}
