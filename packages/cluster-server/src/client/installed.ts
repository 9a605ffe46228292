import { findPackageJSON, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Whether a package can be had: in the project of the directory, or beside this package. */
export function isInstalled(name: string, directory: string): boolean {
  return resolves(name, join(directory, 'package.json')) || resolves(name, import.meta.url);
}

/** From now on, clients come from the project of the directory where it has them: what a user compares is theirs. */
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

/** As `import` finds packages; `require.resolve` would take those of NODE_PATH too, which `import` does not. */
function resolves(name: string, from: string): boolean {
  try {
    return findPackageJSON(name, from) !== undefined;
  } catch {
    return false;
  }
}
