import { findPackageJSON, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Whether a package is installed, in the project of the directory or for this package. */
export function isInstalled(name: string, directory: string): boolean {
  return resolves(name, join(directory, 'package.json')) || resolves(name, import.meta.url);
}

/** Makes this process import packages from the project of the directory, if it has them: users compare their versions. */
export function preferPackagesOf(directory: string, names: readonly string[]): void {
  const file = join(directory, 'package.json');
  const preferred = new Set(names.filter((name) => resolves(name, file)));
  const parentURL = pathToFileURL(file).href;
  const own = new URL('..', import.meta.url).href;
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const isOurs = preferred.has(specifier) && context.parentURL?.startsWith(own) === true;
      return nextResolve(specifier, isOurs ? { ...context, parentURL } : context);
    },
  });
}

/** Whether `import` finds the package. `require.resolve` also searches NODE_PATH, which `import` does not. */
function resolves(name: string, from: string): boolean {
  try {
    return findPackageJSON(name, from) !== undefined;
  } catch {
    return false;
  }
}
