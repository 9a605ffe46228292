import { readFileSync } from 'node:fs';
import Module, { createRequire, register } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Manifest, manifestVariable } from './manifest.ts';
import { parentFor } from './manifest-entry.ts';

// Loaded with --import into runtimes without module.registerHooks: Node.js 18.19, and 20.6 and later.
const manifest: Manifest = JSON.parse(readFileSync(process.env[manifestVariable] ?? '', 'utf8'));
register('./async-hooks.js', import.meta.url, { data: manifest });

// Hooks in a thread do not serve the files that CommonJS modules require.
const extensions: Record<string, (module: NodeJS.Module, path: string) => void> = Reflect.get(
  Module,
  '_extensions',
);
const loadScript = extensions['.js'];
for (const extension of ['.ts', '.cts']) {
  extensions[extension] = (module, path) => {
    const file = manifest.files[pathToFileURL(path).href];
    if (file?.format === 'commonjs')
      Reflect.apply(Reflect.get(module, '_compile'), module, [file.source, path]);
    else loadScript?.(module, path);
  };
}

if (manifest.imports !== undefined) {
  const resolveFilename: (...args: readonly unknown[]) => string = Reflect.get(Module, '_resolveFilename');
  Reflect.set(
    Module,
    '_resolveFilename',
    (specifier: string, parent: NodeJS.Module | undefined, ...rest: readonly unknown[]) => {
      const importer = parent?.filename ? pathToFileURL(parent.filename).href : '';
      const url = parentFor(manifest.imports, specifier, importer);
      return url === undefined
        ? Reflect.apply(resolveFilename, Module, [specifier, parent, ...rest])
        : createRequire(url).resolve(specifier);
    },
  );
}
