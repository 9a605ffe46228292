import type { Manifest, StrippedFile } from './manifest.ts';

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

/** The JavaScript of a file of a manifest. */
export function fileAt({ files }: Manifest, url: string): StrippedFile | undefined {
  return files[url] ?? files[url.split('?', 1)[0] ?? ''];
}

/** The URL of a file that an import by a relative path means. */
export function locationOf(
  { locations }: Manifest,
  specifier: string,
  importer: string | undefined,
): string | undefined {
  return /^\.{1,2}(?:\/|$)/.test(specifier) && importer !== undefined
    ? locations[new URL(specifier, importer).href.replace(/\/$/, '')]
    : undefined;
}
