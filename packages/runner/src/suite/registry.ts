import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Failure } from '@bench-cli/results/recording';
import { type LibraryModule, libraries } from '@bench-cli/results/settings';
import { orElse } from '@bench-cli/system';
import { failureOf } from '../process/supervisor.ts';
import { importedModules, namedModules } from './imported-modules.ts';
import { isNodeCore, nodeCoreSuite } from './node-core-suite.ts';
import { ownSuite } from './own-suite.ts';
import type { SuiteKind } from './suite-kind.ts';

/** Libraries whose files do not run, by their module, or a function that files call. */
const otherLibraries = [
  { name: 'benchmark.js', module: 'benchmark' },
  { name: 'Deno.bench', text: /\bDeno\.bench\(/ },
];

/** The library whose module a file imports, unless it is a script of ours. The failure if its files do not run. */
export async function libraryOf(path: string): Promise<LibraryModule | Failure | undefined> {
  const source = orElse(() => readFileSync(path, 'utf8'), undefined);
  if (source === undefined)
    return failureOf('not started', 'cannot be read: check the permissions of the file, and the disk');
  const isNamed = (module: string) => new RegExp(`['"\`]${module}['"\`]`).test(source);
  const candidates = libraries.filter(isNamed);
  const others = otherLibraries.filter(({ module, text }) => (module ? isNamed(module) : text?.test(source)));
  if (candidates.length + others.length === 0) return undefined;
  const modules = await importedModules(source);
  if (modules.has('@bench-cli/core')) return undefined;
  const library = candidates.find((module) => modules.has(module));
  if (library !== undefined) return library;
  const other = others.find(({ module }) => module === undefined || modules.has(module));
  if (other === undefined) return undefined;
  return failureOf(
    'not started',
    `is a file of ${other.name}, which does not run under bench-cli: declare its functions with bench() of tinybench or mitata, or with createBenchmark of @bench-cli/core, as "Coming from benchmark.js" in the docs shows`,
  );
}

/**
 * Whether a file below a directory imports what declares benchmarks. Most files that import vitest are tests, so these must have
 * the name of a benchmark, or a directory of benchmarks.
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

/** A directory of benchmarks and its kind. */
export interface Suite {
  readonly kind: SuiteKind;
  readonly directory: string;
}

/** A directory as a suite. */
export function suiteAt(directory: string): Suite {
  return { kind: isNodeCore(directory) ? nodeCoreSuite : ownSuite, directory };
}

/** The recognised suite that contains a file or directory; undefined if there is none, so that the user names the suite. */
export function suiteAround(path: string): Suite | undefined {
  for (let directory = dirname(path), at = path; at !== directory; at = directory, directory = dirname(at)) {
    const suite = suiteAt(directory);
    if (suite.kind !== ownSuite) return suite;
  }
  return undefined;
}
