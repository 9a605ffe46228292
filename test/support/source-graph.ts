import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'rolldown/utils';
import { root } from './command.ts';

/** An import of one source file, type imports included. */
export interface SourceImport {
  /** The file that imports, from the root of the repository. */
  readonly from: string;
  /** The file that is imported, or the specifier of a package. */
  readonly to: string;
  readonly isType: boolean;
}

/** `import()` as an expression or as a type, which are not among the static imports. */
const dynamicImport = /\bimport\(\s*'([^']+)'\s*\)/g;

/** The imports of source files. Patterns are relative to the root of the repository. */
export function importsOf(patterns: readonly string[]): readonly SourceImport[] {
  const files = globSync([...patterns], { cwd: root, exclude: (path) => /node_modules|dist/.test(path) });
  return files.flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8');
    const { module } = parseSync(from, text);
    const found: [specifier: string, isType: boolean][] = [];
    for (const { moduleRequest, entries } of module.staticImports)
      found.push([moduleRequest.value, entries.length > 0 && entries.every(({ isType }) => isType)]);
    for (const { entries } of module.staticExports)
      for (const { moduleRequest, isType } of entries)
        if (moduleRequest !== null) found.push([moduleRequest.value, isType]);
    for (const [, specifier = ''] of text.matchAll(dynamicImport)) found.push([specifier, false]);
    return found.map(([specifier, isType]) => ({
      from,
      to: specifier.startsWith('.')
        ? relative(root, join(root, dirname(from), specifier)).replace(/\.js$/, '.ts')
        : specifier,
      isType,
    }));
  });
}

/** A circle of imports, as the files on it; undefined if there is none. */
export function circleIn(imports: readonly SourceImport[]): readonly string[] | undefined {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const { to } of targets.get(file) ?? []) {
      const circle = targets.has(to) ? visit(to, [...path, file]) : undefined;
      if (circle !== undefined) return circle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const circle = visit(file, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/** The names that a file exports, types included, sorted; also those of files that it re-exports whole. */
export function exportsOf(file: string): readonly string[] {
  const { module } = parseSync(file, readFileSync(join(root, file), 'utf8'));
  const names = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(
      ({ exportName, moduleRequest }) =>
        exportName.name ?? exportsOf(join(dirname(file), moduleRequest?.value ?? '')),
    ),
  );
  return [...new Set(names)].sort();
}
