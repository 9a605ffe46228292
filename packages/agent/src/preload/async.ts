import { readFileSync } from 'node:fs';
import Module, { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Manifest, manifestVariable, parentFor } from './manifest.ts';

// Loaded with --import into runtimes without module.registerHooks: Node.js 18.19, and 20.6 and later.
const manifest: Manifest = JSON.parse(readFileSync(process.env[manifestVariable] ?? '', 'utf8'));
register('./async-hooks.js', import.meta.url, { data: manifest });

// Hooks in a thread do not serve the files that CommonJS modules require.
if (manifest.imports !== undefined) {
  const resolveFilename: (...args: readonly unknown[]) => string = Reflect.get(Module, '_resolveFilename');
  Reflect.set(
    Module,
    '_resolveFilename',
    (specifier: string, parent: NodeJS.Module | undefined, ...rest: readonly unknown[]) => {
      const importer = parent?.filename ? pathToFileURL(parent.filename).href : '';
      const url = parentFor(manifest, specifier, importer);
      return url === undefined
        ? Reflect.apply(resolveFilename, Module, [specifier, parent, ...rest])
        : createRequire(url).resolve(specifier);
    },
  );
}
