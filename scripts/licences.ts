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

/** Licences that allow bundling a package, if its licence comes with it. */
const permissive: ReadonlySet<string> = new Set(
  '0BSD Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause BSL-1.0 ISC MIT OFL-1.1 Zlib'.split(' '),
);

function licenceIn(directory: string): string {
  const { license, author }: { readonly license?: string; readonly author?: unknown } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  );
  if (license === undefined || !isPermissive(license))
    throw new Error(
      `${directory} cannot be bundled: its licence is ${license}, and ${[...permissive].join(', ')} are known to allow it: use another library`,
    );
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  if (file !== undefined) return readFileSync(join(directory, file), 'utf8').trim();
  const text = `https://spdx.org/licenses/${license}.html`;
  return `${license} (${text})${typeof author === 'string' ? `, ${author}` : ''}`;
}

/** Reads a licence expression of SPDX without nested parentheses, such as `Apache-2.0 AND BSL-1.0`. */
function isPermissive(expression: string): boolean {
  const parts = expression.replaceAll(/[()]/g, '').split(' AND ');
  return parts.every((part) => part.split(' OR ').some((name) => permissive.has(name)));
}
