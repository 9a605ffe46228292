import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/**
 * Writes the licences of the bundled packages into a file next to the bundle, as the licences require.
 * @param bundle the name of the bundle, because a directory can have several
 */
export function licences(bundle: string): Plugin {
  return {
    name: 'licences',
    generateBundle(_options, files) {
      const directories = new Map<string, string>();
      for (const file of Object.values(files)) {
        for (const id of file.type === 'chunk' ? file.moduleIds : []) {
          // Ids of the bundler's own modules start with a null character.
          if (id.startsWith('\0')) continue;
          const [, directory, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id) ?? [];
          if (directory !== undefined && name !== undefined) directories.set(name, directory);
        }
      }
      if (directories.size === 0) return;
      const namesByText = Map.groupBy([...directories.keys()].sort(), (name) =>
        licenceIn(directories.get(name) ?? ''),
      );
      const source = Array.from(namesByText, ([text, names]) => `${names.join(', ')}\n\n${text}`);
      this.emitFile({ type: 'asset', fileName: `LICENCES-${bundle}`, source: source.join('\n\n---\n\n') });
    },
  };
}

/** Licences that the manifest can name without a licence file in the package. */
const namedLicences: ReadonlySet<string> = new Set(['Apache-2.0', 'MIT', 'ISC']);

function licenceIn(directory: string): string {
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(directory, file), 'utf8').trim();
  const { license, author }: { readonly license?: string; readonly author?: unknown } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  );
  if (license === undefined || !namedLicences.has(license))
    throw new Error(`${directory} has no licence that allows bundling it`);
  const text = `https://spdx.org/licenses/${license}.html`;
  return `${license} (${text})${typeof author === 'string' ? `, ${author}` : ''}`;
}
