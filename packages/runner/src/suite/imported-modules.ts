import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { orElse } from '@bench-cli/system';
import { init, parse } from 'es-module-lexer';
import { propertyIn } from '../parse-json.ts';
import { isFile, isTypeScript } from './script-files.ts';

/** The modules that a source imports or requires itself, except those of which it imports only types. */
export async function importedModules(source: string): Promise<ReadonlySet<string>> {
  const calls = source.replace(comments, '').matchAll(requireCall);
  const modules = new Set(Array.from(calls, ([, , specifier = '']) => specifier));
  await init();
  // The runtime will report invalid syntax.
  for (const found of orElse(() => parse(source)[0], [])) {
    if (!('specifier' in found) || typeof found.specifier !== 'string') continue;
    if (!('typeOnly' in found && found.typeOnly)) modules.add(found.specifier);
  }
  return modules;
}

const requireCall = /\b(?:require|getBuiltinModule)\(\s*(['"`])([^'"`]+)\1\s*\)/g;
const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;

/**
 * The module format of a script by its name, its package or its syntax.
 * @param forBundlers whether it is for bundlers, which ignore the type of the package of a TypeScript file, and "commonjs"
 */
export async function formatOf(path: string, forBundlers: boolean): Promise<'module' | 'commonjs'> {
  if (/\.m[jt]s$/.test(path)) return 'module';
  if (/\.c[jt]s$/.test(path)) return 'commonjs';
  const manifest = forBundlers && isTypeScript(path) ? undefined : manifestOf(path);
  const type = propertyIn(manifest, 'type');
  if (type === 'module' || (type === 'commonjs' && !forBundlers)) return type;
  await init();
  // The runtime will report invalid syntax.
  return orElse(() => parse(readFileSync(path, 'utf8'))[3], false) ? 'module' : 'commonjs';
}

/** The package.json of the package that contains a file. Without one, some releases of Node.js find a directory. */
export function manifestOf(path: string): string | undefined {
  const found = findPackageJSON('.', pathToFileURL(path));
  return found !== undefined && isFile(found) ? found : undefined;
}
