import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'rolldown';

/** Writes the licences of the bundled packages into a file next to the bundle, as the licences require. */
export function licences(): Plugin {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const directories = new Map<string, string>();
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.type === 'chunk' ? chunk.moduleIds : []) {
          const [, directory, name] = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(id) ?? [];
          if (directory !== undefined && name !== undefined) directories.set(name, directory);
        }
      }
      const namesByText = Map.groupBy([...directories.keys()].sort(), (name) =>
        licenceIn(directories.get(name) ?? ''),
      );
      const source = Array.from(namesByText, ([text, names]) => `${names.join(', ')}\n\n${text}`);
      this.emitFile({ type: 'asset', fileName: 'LICENCES', source: source.join('\n\n---\n\n') });
    },
  };
}

function licenceIn(directory: string): string {
  const file = readdirSync(directory).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined) throw new Error(`${directory} has no licence, so it cannot be bundled`);
  return readFileSync(join(directory, file), 'utf8').trim();
}
