import { readFileSync } from 'node:fs';
// A named import would keep the package from refusing older releases of Node.js in its own words.
import nodeModule from 'node:module';
import { pathToFileURL } from 'node:url';
import { isFile, orElse, propertyIn } from '@bench-cli/system';
import { init, parse } from 'es-module-lexer';
import { isTypeScript } from './script-files.ts';

export interface NamedModule {
  /** Undefined if it is computed. */
  readonly specifier: string | undefined;
  /** An `import` is loaded with the file that has it; the others, when they are called. */
  readonly by: 'import' | 'import()' | 'require';
  /** Whether it is no code, such as JSON. */
  readonly isData: boolean;
}

export const computedModule: NamedModule = { specifier: undefined, by: 'import()', isData: false };

/** The modules that a source loads itself, unless it imports only types; undefined for invalid syntax. */
export async function namedModules(source: string): Promise<readonly NamedModule[] | undefined> {
  await init();
  const text = source
    .replace(ownRequire, '')
    .replace(importedLoader, 'import(0);import')
    .replace(calledRequire, `;${requireCall}`)
    .replace(otherLoader, ';import(0)');
  const found = orElse(() => parse(text)[0], undefined);
  return found?.flatMap((each): readonly NamedModule[] => {
    if (each.type === 'import-meta') return [];
    if (each.type !== 'dynamic') {
      const { specifier, attributes, phase, typeOnly } = each;
      const isData = attributes !== null || phase === 'source' || dataFile.test(specifier);
      return typeOnly ? [] : [{ specifier, by: 'import', isData }];
    }
    const { specifier, glob, importStart, probablyTypeOnly } = each;
    if (specifier === undefined || glob) return [computedModule];
    const by = text.startsWith(requireCall, importStart) ? 'require' : 'import()';
    const isType = by === 'import()' && probablyTypeOnly;
    return isType ? [] : [{ specifier, by, isData: dataFile.test(specifier) }];
  });
}

// The lexer finds only imports, outside of comments, strings and regular expressions. So calls of `require`
// become imports, and other ways to load a module become imports of a computed name.
const requireCall = 'import\v';
const calledRequire = /(?<![\w$]|(?<!\.\.)\.)require(?=\s*\()|\bgetBuiltinModule\s*(?:\?\.)?(?=\s*\()/g;
/** The lexer does not look into the braces. */
const importedLoader = /\bimport(?=\s*\{[^{}]*\b(?:getBuiltinModule|dlopen|loadEnvFile)\b)/g;
/** The `require` that an ES module makes for itself. */
const ownRequire =
  /(?:import|const)\s*\{\s*createRequire\s*\}\s*(?:from|=\s*require\()\s*(['"])(?:node:)?module\1\)?|\brequire\s*=\s*createRequire\(\s*(?:import\.meta\.(?:url|filename)|__filename)\s*\)/g;
const otherLoader =
  /(?<![\w$]|(?<!\.\.)\.|typeof\s)require\b(?!\s*\.\s*(?:resolve|main|cache)\b)|\b(?:module|main|mainModule)\s*\.\s*require\b|\bcreateRequire(?=\s*\()|\bprocess\s*\??\.\s*binding\b|\b(?:getBuiltinModule|dlopen|loadEnvFile)\b/g;
const dataFile = /\.(?:json|wasm)$/;

/**
 * The module format of a script by its name, its package or its syntax.
 * @param forBundlers whether bundlers load it, which ignore the package's type of TypeScript, and "commonjs"
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

/** The package.json of the package of a file. Without one, some releases of Node.js find a directory. */
export function manifestOf(path: string): string | undefined {
  const found = nodeModule.findPackageJSON('.', pathToFileURL(path));
  return found !== undefined && isFile(found) ? found : undefined;
}
