import { readFileSync } from 'node:fs';
import nodeModule, { createRequire, isBuiltin } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { libraries } from '@bench-cli/results/settings';
import { orElse, parseJson } from '@bench-cli/system';
import { namedModules } from './imported-modules.ts';
import { isScript } from './script-files.ts';

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

/** The file of the project that a module is; true for an installed package without a tool; undefined if neither is certain. */
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
