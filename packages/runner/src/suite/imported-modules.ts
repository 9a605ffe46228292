import { init, parse } from 'es-module-lexer';

/** The modules that a source imports or requires itself, except those of which it imports only types. */
export async function importedModules(source: string): Promise<ReadonlySet<string>> {
  const calls = source.replace(comments, '').matchAll(requireCall);
  const modules = new Set(Array.from(calls, ([, , specifier = '']) => specifier));
  await init();
  try {
    for (const found of parse(source)[0]) {
      if (!('specifier' in found) || typeof found.specifier !== 'string') continue;
      if (!('typeOnly' in found && found.typeOnly)) modules.add(found.specifier);
    }
  } catch {
    // Invalid syntax, which the runtime will report.
  }
  return modules;
}

const requireCall = /\b(?:require|getBuiltinModule)\(\s*(['"`])([^'"`]+)\1\s*\)/g;
const comments = /\/\*[\s\S]*?\*\/|\/\/.*$/gm;
