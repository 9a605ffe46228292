import { readFileSync, realpathSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parentFor } from '@bench-cli/agent';
import type { PlacedSubject } from '@bench-cli/subjects';
import { isFile, orElse } from '@bench-cli/system';
import { computedModule, type NamedModule, namedModules } from '../suite/imported-modules.ts';
import { isScript } from '../suite/script-files.ts';

/** What the files name that were read before, with the file of each module. */
export type NamedByFile = Map<string, readonly (NamedModule & { readonly file: string | undefined })[]>;

/** Adds the files that the loaded files name, and the version of each installed package. */
export async function moduleGraph(
  loaded: readonly string[],
  subject: Pick<PlacedSubject, 'imports'>,
  known: NamedByFile = new Map(),
) {
  const files = new Set(loaded);
  /** Why a file can load or read others when it runs, as the rest of a sentence; undefined if none can. */
  let open: { readonly path: string; readonly reason: string } | undefined;
  // A set is iterated in the order of insertion, including what is added meanwhile.
  for (const path of files) {
    const [installed] = installedPackage.exec(path) ?? [];
    const manifest = installed && join(installed, 'package.json');
    if (manifest && isFile(manifest)) files.add(manifest);
    if (!isScript(path) || path.startsWith(coreDirectory) || installedCore.test(path)) continue;
    let modules = known.get(path);
    if (modules === undefined) {
      const named = (await namedModules(readFileSync(path, 'utf8'))) ?? [computedModule];
      modules = named.map((each) => ({ ...each, file: fileOf(each, path, subject) }));
      known.set(path, modules);
    }
    for (const { file, ...named } of modules) {
      if (file !== undefined && (named.by === 'import' || named.isData || installed)) files.add(file);
      const reason = file !== undefined && files.has(file) ? undefined : reasonOf(named, !installed);
      if (reason !== undefined) open ??= { path, reason };
    }
  }
  return { files, open };
}

/** A directory of `node_modules` whose name begins with a dot is a cache, not a package. */
const installedPackage = /^.*[\\/]node_modules[\\/](?!\.)(?:@[^\\/]+[\\/])?[^\\/]+/;
/** The target of the link of a workspace. */
const coreDirectory = fileURLToPath(new URL('.', import.meta.resolve('@bench-cli/core')));
/** Benchmarks load another copy than bench-cli, whose package contains its own. */
const installedCore = /[\\/]node_modules[\\/]@bench-cli[\\/]core[\\/]/;

/** Modules of Node.js by which code can load or read files that no import names. */
const readers = new Set(
  'child_process cluster fs fs/promises module sqlite vm wasi worker_threads'.split(' '),
);

/**
 * Why a file can load or read others through a module that it names, which is none of the known files.
 * @param isOwn whether it is a file of the project. An installed package names modules that are optional, or
 * of its own version
 */
function reasonOf({ specifier, by, isData }: NamedModule, isOwn: boolean): string | undefined {
  if (specifier === undefined) return 'computes the name of a module that it loads';
  if (isBuiltin(specifier))
    return readers.has(specifier.replace('node:', ''))
      ? `imports ${specifier} and so can load or read any file`
      : undefined;
  // Planning loads it.
  const isKnown = specifier === '@bench-cli/core' || (by === 'import' && !isData);
  return isKnown || !isOwn ? undefined : `can load ${specifier} when it runs`;
}

/** The file of a module that is named by path, required, or data; undefined if only the runtime finds it. */
function fileOf(
  { specifier = '', by, isData }: NamedModule,
  importer: string,
  { imports }: Pick<PlacedSubject, 'imports'>,
): string | undefined {
  const { href } = pathToFileURL(importer);
  return orElse(() => {
    if (by !== 'require' && /^(?:\.{0,2}\/|file:)/.test(specifier)) {
      const path = realpathSync(fileURLToPath(new URL(specifier, href)));
      return isFile(path) ? path : undefined;
    }
    if (by !== 'require' && !isData) return undefined;
    const parent = parentFor({ imports, forBundlers: false }, specifier, href) ?? href;
    const path = createRequire(parent).resolve(specifier);
    return isFile(path) ? path : undefined;
  }, undefined);
}
