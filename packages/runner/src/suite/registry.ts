import { readFileSync } from 'node:fs';
import nodeModule, { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Failure } from '@bench-cli/results/recording';
import { type LibraryModule, libraries } from '@bench-cli/results/settings';
import { orElse, parseJson } from '@bench-cli/system';
import { failureOf } from '../process/supervisor.ts';
import { namedModules } from './imported-modules.ts';
import { isNodeCore } from './node-core-suite.ts';
import { isScript } from './script-files.ts';

/** The library whose module a file imports, unless it is a script of ours; the failure to read the file. */
export async function libraryOf(path: string): Promise<LibraryModule | Failure | undefined> {
  const source = orElse(() => readFileSync(path, 'utf8'), undefined);
  if (source === undefined)
    return failureOf('not started', 'cannot be read: check the permissions of the file, and the disk');
  const candidates = libraries.filter((module) => new RegExp(`['"\`]${module}['"\`]`).test(source));
  if (candidates.length === 0) return undefined;
  // The runtime will report invalid syntax.
  const modules = (await namedModules(source))?.map(({ specifier }) => specifier) ?? [];
  return modules.includes('@bench-cli/core') ? undefined : candidates.find((each) => modules.includes(each));
}

/**
 * Whether a file below a directory imports a library of benchmarks. Most files that import vitest are tests,
 * so these must have the name of a benchmark, or a directory of benchmarks.
 */
export async function isBenchmark(directory: string, path: string): Promise<boolean> {
  const source = orElse(() => readFileSync(join(directory, path), 'utf8'), '');
  const isNamed =
    /(?:^|\/)bench(?:marks?)?\/|\.bench(?:mark)?\.\w+$/.test(path) && !/\.(?:test|spec)\.\w+$/.test(path);
  const modules = ['@bench-cli/core', ...libraries].filter(
    (module) => source.includes(module) && (isNamed || module !== 'vitest'),
  );
  if (modules.length === 0) return false;
  const named = (await namedModules(source)) ?? [];
  return named.some(({ by, specifier = '' }) => by !== 'import()' && modules.includes(specifier));
}

/** The suite of Node core that contains a file or directory; undefined if the user must name the suite. */
export function nodeCoreAround(path: string): string | undefined {
  for (let directory = dirname(path), at = path; at !== directory; at = directory, directory = dirname(at))
    if (isNodeCore(directory)) return directory;
  return undefined;
}

const isTool = (module: string) =>
  module.startsWith('@bench-cli/core') || libraries.some((each) => each === module);
/** Tools that are known although they may not be installed. */
const otherTools = ['benchmark', 'benny'];

/** Why a file cannot declare a benchmark, as the rest of a sentence; undefined if it may, or if unknown. */
export async function foreignReason(path: string): Promise<string | undefined> {
  const source = orElse(() => readFileSync(path, 'utf8'), undefined);
  if (source === undefined) return undefined;
  const packages = new Set<string>();
  const files = new Set([path]);
  // A set is iterated in the order of insertion, including what is added meanwhile.
  for (const file of files) {
    const modules = await namedModules(readFileSync(file, 'utf8'));
    if (modules === undefined || basename(file) === 'common.js') return undefined;
    for (const { specifier, isData } of modules) {
      if (specifier === undefined || isTool(specifier)) return undefined;
      if (isData || isBuiltin(specifier)) continue;
      const found = otherTools.includes(specifier) ? true : followed(specifier, file);
      if (found === undefined) return undefined;
      if (found === true) packages.add(specifier);
      else if (isScript(found)) files.add(found);
    }
  }
  const named = [...packages].find((name) => /benny|bench|measure/.test(name));
  if (named !== undefined) return `imports ${named}, which bench-cli does not run`;
  return /\bDeno\.bench\(/.test(source)
    ? 'calls Deno.bench(), which bench-cli does not run'
    : 'imports no library of benchmarks that bench-cli runs';
}

/** The file of the project that a module is; true for an installed package without a tool; else undefined. */
function followed(specifier: string, importer: string): string | true | undefined {
  return orElse(() => {
    const isOwn = /^\.{0,2}\//.test(specifier);
    const manifest = isOwn ? undefined : nodeModule.findPackageJSON(specifier, pathToFileURL(importer));
    if (!isOwn && manifest === undefined) return undefined;
    if (manifest === undefined || !manifest.includes('node_modules'))
      return createRequire(importer).resolve(specifier);
    const { dependencies, peerDependencies } = Object(parseJson(readFileSync(manifest, 'utf8')));
    return Object.keys({ ...dependencies, ...peerDependencies }).some(isTool) ? undefined : true;
  }, undefined);
}

export const foreignRemedy =
  'declare its functions with bench() of tinybench or mitata, or with createBenchmark of @bench-cli/core, as "Coming from benchmark.js" in the docs shows; if it is not a benchmark, start its name with _ or move it to a directory named fixtures';
