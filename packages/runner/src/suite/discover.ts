import { UsageError } from '@bench-cli/results';
import type { BenchmarkFile } from '@bench-cli/results/recording';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { ownSuite } from './own-suite.ts';
import { suiteAround, suiteAt } from './registry.ts';
import { isDirectory, isFile, isScript, publicEntries } from './script-files.ts';

/** Which benchmarks are wanted. */
export interface Selection {
  /** Groups of the suite, paths of files or directories, or the word `all`. */
  readonly items: readonly string[];
  /**
   * The directory whose sub-directories are the groups. Default: `benchmarks` or `benchmark` below `cwd`, else a suite of
   * Node core that `cwd` is in, else `cwd`.
   */
  readonly suite?: string | undefined;
  /** Keeps the files whose name contains one of these. Default: all are kept. */
  readonly filter?: readonly string[] | undefined;
  /** Drops, of what `filter` kept, the files whose name contains one of these. */
  readonly exclude?: readonly string[] | undefined;
  /** Where relative paths start. Default: the working directory of the process. */
  readonly cwd?: string | undefined;
}

export interface Discovery {
  readonly suite: string;
  readonly files: readonly BenchmarkFile[];
  /** Patterns of `exclude` that excluded nothing: probably a slip. */
  readonly idleExcludes: readonly string[];
}

/**
 * Finds the benchmark files that a selection means, in the order of the items, sorted by name within each. Files and
 * directories whose names start with `.` or `_`, and those named `fixtures` or `node_modules`, are no benchmarks. A file
 * inside a suite of Node core belongs to that suite, wherever it is found from.
 * @throws UsageError when an item, the suite, or a filter matches nothing
 */
export function discover(selection: Selection): Discovery {
  const cwd = selection.cwd ?? process.cwd();
  const suite = suiteDirectory(selection.suite, cwd);
  const { items } = selection;
  if (items.length === 0) {
    throw new UsageError('ERR_BENCH_SELECTION', `name at least one group or file, or "all"; ${groupsOf(suite)}`);
  }
  const paths = new Map<string, BenchmarkFile>();
  for (const item of items) {
    for (const path of filesOf(item, suite, cwd)) paths.set(path, { path, name: nameOf(path, suite) });
  }
  const all = [...paths.values()];
  const { filter = [], exclude = [] } = selection;
  const contains = (file: BenchmarkFile, pattern: string) => withoutGroup(file.name).includes(pattern);
  for (const pattern of filter) {
    if (!all.some((file) => contains(file, pattern))) {
      throw new UsageError('ERR_BENCH_SELECTION', 
        `--filter "${pattern}" matches none of the files: ${list(all.map((file) => file.name))}`,
      );
    }
  }
  const kept =
    filter.length === 0 ? all : all.filter((file) => filter.some((pattern) => contains(file, pattern)));
  const files = kept.filter((file) => !exclude.some((pattern) => contains(file, pattern)));
  if (files.length === 0) {
    throw new UsageError('ERR_BENCH_SELECTION', 
      kept.length === 0
        ? `no benchmark files in ${items.join(', ')}; they end in .ts or .js (or .mts, .cts, .mjs, .cjs)`
        : `--exclude leaves nothing of ${list(kept.map((file) => file.name))}`,
    );
  }
  return {
    suite,
    files,
    idleExcludes: exclude.filter((pattern) => !kept.some((file) => contains(file, pattern))),
  };
}

function suiteDirectory(given: string | undefined, cwd: string): string {
  if (given !== undefined) {
    const suite = resolve(cwd, given);
    if (!isDirectory(suite)) throw new UsageError('ERR_BENCH_SELECTION', `the suite ${given} is no directory`);
    return suite;
  }
  const below = [join(cwd, 'benchmarks'), join(cwd, 'benchmark')].find(isDirectory);
  return below ?? suiteAround(join(cwd, 'group'))?.directory ?? cwd;
}

function filesOf(item: string, suite: string, cwd: string): readonly string[] {
  if (item === 'all') return everythingIn(suite);
  // A word is a group first: the current directory may well hold a directory of the same name.
  const candidates = /[\\/]|^\.+$/.test(item)
    ? [resolve(cwd, item), resolve(suite, item)]
    : [resolve(suite, item), resolve(cwd, item)];
  for (const path of candidates) {
    if (isDirectory(path)) return benchmarksIn(path);
    if (isFile(path)) {
      if (isScript(path)) return [path];
      throw new UsageError('ERR_BENCH_SELECTION', 
        `${item} is no script; benchmark files end in .ts or .js (or .mts, .cts, .mjs, .cjs)`,
      );
    }
  }
  throw new UsageError('ERR_BENCH_SELECTION', `there is no group or file "${item}"; ${groupsOf(suite)}`);
}

function everythingIn(suite: string): readonly string[] {
  return groupNames(suite).flatMap((group) => benchmarksIn(join(suite, group)));
}

/** What a directory holds by the rules of the suite that it is in, or is. */
function benchmarksIn(directory: string): readonly string[] {
  if (suiteAt(directory).kind !== ownSuite) return everythingIn(directory);
  return (suiteAround(directory)?.kind ?? ownSuite).benchmarksIn(directory);
}

function groupNames(suite: string): string[] {
  return publicEntries(suite)
    .map((entry) => entry.name)
    .filter((name) => isDirectory(join(suite, name)) && benchmarksIn(join(suite, name)).length > 0);
}

function groupsOf(suite: string): string {
  const names = groupNames(suite);
  return names.length === 0
    ? `the suite ${suite} has no groups; set it with --suite`
    : `the suite ${suite} has: ${list(names)}`;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 30).join(', ');
  return names.length > 30 ? `${shown}, and ${names.length - 30} more` : shown;
}

function nameOf(path: string, given: string): string {
  const suite = suiteAround(path)?.directory ?? given;
  const inside = relative(suite, path);
  const name = inside.startsWith('..') ? join(basename(dirname(path)), basename(path)) : inside;
  return name.split(sep).join('/');
}

function withoutGroup(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}
