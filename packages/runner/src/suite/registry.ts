import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Failure } from '@bench-cli/results/recording';
import { type LibraryModule, libraries } from '@bench-cli/results/settings';
import { orElse } from '@bench-cli/system';
import { failureOf } from '../process/supervisor.ts';
import { namedModules } from './imported-modules.ts';
import { isNodeCore } from './node-core-suite.ts';

/** The library whose module a file imports, unless it is a script of ours. The failure if the file cannot be read. */
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
