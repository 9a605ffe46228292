import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { calledCommand, counted, nameInGroup, UsageError } from '@bench-cli/results';
import type { BenchmarkFile } from '@bench-cli/results/recording';
import { isDirectory, isFile } from '@bench-cli/system';
import { commandWords } from './command.ts';
import { isNodeCore, nodeCoreBenchmarks } from './node-core-suite.ts';
import { ownBenchmarks } from './own-suite.ts';
import { isBenchmark, nodeCoreAround } from './registry.ts';
import { isScript, publicNames } from './script-files.ts';

export interface Selection {
  /** Groups, paths of files or directories, commands (text with a space), or `all` for the whole suite. */
  readonly items: readonly string[];
  /**
   * The directory whose sub-directories are the groups. Default: `benchmarks` or `benchmark` below `cwd`,
   * else the suite of Node core that contains `cwd`, else `cwd`.
   */
  readonly suite?: string | undefined;
  /**
   * Keeps files whose names contain one of these texts, or match `/expression/flags`: the names within their
   * group, and the whole ones if the text has a slash. Default: all.
   */
  readonly filter?: readonly string[] | undefined;
  /** Drops the files that such patterns select; applies after `filter`. Default: none. */
  readonly exclude?: readonly string[] | undefined;
  /** Names of the commands, in their order. Default: their texts. */
  readonly names?: readonly string[] | undefined;
  /** The base of relative paths. Default: the working directory of the process. */
  readonly cwd?: string | undefined;
}

export type Discovery = ReturnType<typeof filterFiles>;

/**
 * Finds the files of a selection without its patterns, in the order of the items, sorted by name within each.
 * It ignores names that start with `.` or `_`, and those that are `fixtures` or `node_modules`. A file inside
 * a suite of Node core always belongs to that suite.
 * @throws UsageError if an item or the suite matches nothing
 */
export function findFiles({ items, suite: given, names = [], cwd = process.cwd() }: Selection) {
  const suite = suiteDirectory(given, cwd);
  if (items.length === 0) {
    const problem = `no benchmark selected: name a group or file, or "all"; ${groupsOf(suite)}`;
    throw new UsageError('ERR_BENCH_SELECTION', problem);
  }
  const paths = new Map<string, BenchmarkFile>();
  /** The files that are items themselves. */
  const namedItself = new Set<string>();
  for (const item of items) {
    for (const path of filesOf(item, suite, cwd)) {
      if (basename(item) === basename(path)) namedItself.add(path);
      const command = path === item ? commandWords(item) : undefined;
      if (command !== undefined && paths.has(path))
        throw new UsageError('ERR_BENCH_SELECTION', `the command "${item}" is given twice: give it once`);
      const named = { path, name: command === undefined ? nameOf(path, suite) : path };
      paths.set(path, { ...named, ...(command && { command }) });
    }
  }
  nameCommands(paths, names);
  if (paths.size > 0) return { suite, namedItself, all: [...paths.values()] };
  const places = items.map((item) => (item === 'all' ? suite : item)).join(', ');
  throw new UsageError('ERR_BENCH_SELECTION', `no benchmark file in ${places}: ${scriptRule}`);
}

/** @throws UsageError if there are more names than commands, or two commands have the same name */
function nameCommands(files: Map<string, BenchmarkFile>, names: readonly string[]): void {
  const commands = [...files.values()].filter(({ command }) => command !== undefined);
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  const problem =
    repeated !== undefined
      ? `names two commands "${repeated}": give each its own name`
      : `has ${counted(names.length, 'name')} for ${counted(commands.length, 'whole command')}: give at most one for each`;
  if (repeated !== undefined || names.length > commands.length)
    throw new UsageError('ERR_BENCH_OPTION', `--command-name ${problem}`, { option: 'names' });
  for (const [at, name] of names.entries()) {
    const command = commands[at];
    if (command !== undefined) files.set(command.path, { ...command, name });
  }
}

/** @param several paths of files with several benchmarks, which only their plans can select */
export function filterFiles(
  { suite, all }: Pick<ReturnType<typeof findFiles>, 'all' | 'suite'>,
  { filter = [], exclude = [] }: Selection,
  several: ReadonlySet<string>,
) {
  const kept = all.filter(({ name, path }) => several.has(path) || isSelected(name, { filter }));
  const names = all.map(({ name }) => name);
  if (several.size === 0) for (const pattern of filter) checkFilter(pattern, names);
  const files = kept.filter(({ name }) => isSelected(name, { exclude }));
  if (files.length === 0) {
    const problem = `--exclude drops all selected files: ${list(kept.map((file) => file.name))}; leave a pattern out`;
    throw new UsageError('ERR_BENCH_SELECTION', problem, { option: 'exclude' });
  }
  const isIdle = (pattern: string) => kept.every(({ name }) => isSelected(name, { exclude: [pattern] }));
  /** Patterns of `exclude` that match no file, which is probably a typing error. */
  const idleExcludes = several.size === 0 ? exclude.filter(isIdle) : [];
  return { suite, files, idleExcludes };
}

export function isSelected(
  name: string,
  { filter = [], exclude = [] }: Pick<Selection, 'filter' | 'exclude'>,
): boolean {
  const matches = (pattern: string) => {
    const expression = expressionOf(pattern);
    // As in Node core's run.js, names are those within a group, unless the pattern has a part of a path.
    const texts = [nameInGroup(name), ...((expression?.source ?? pattern).includes('/') ? [name] : [])];
    return texts.some((text) => expression?.test(text) ?? text.includes(pattern));
  };
  return (filter.length === 0 || filter.some(matches)) && !exclude.some(matches);
}

/** @throws UsageError for an invalid regular expression */
function expressionOf(pattern: string): RegExp | undefined {
  const [, expression, flags] = /^\/(.+)\/([a-z]*)$/s.exec(pattern) ?? [];
  if (expression === undefined) return undefined;
  try {
    return new RegExp(expression, flags);
  } catch (error) {
    const problem = error instanceof Error ? error.message : error;
    const message = `${problem}: correct the pattern, or leave out a slash at its end to search for the text`;
    throw new UsageError('ERR_BENCH_SELECTION', message);
  }
}

/** @throws UsageError if a pattern of `filter` selects none of these files or benchmarks */
export function checkFilter(pattern: string, names: readonly string[]): void {
  if (names.some((name) => isSelected(name, { filter: [pattern] }))) return;
  const problem = `--filter "${pattern}" matches nothing: choose a part of the names ${list(names)}`;
  throw new UsageError('ERR_BENCH_SELECTION', problem, { option: 'filter' });
}

const scriptRule = 'names of benchmark files end in .ts, .mts, .cts, .js, .mjs or .cjs';

function suiteDirectory(given: string | undefined, cwd: string): string {
  if (given !== undefined) {
    const suite = resolve(cwd, given);
    if (isDirectory(suite)) return suite;
    const problem = `--suite ${given} is not a directory: give the directory that contains the groups`;
    throw new UsageError('ERR_BENCH_SUITE', problem, { option: 'suite' });
  }
  return suiteBelow(cwd) ?? cwd;
}

/** The suite that a directory has or is. */
function suiteBelow(cwd: string): string | undefined {
  const below = [join(cwd, 'benchmarks'), join(cwd, 'benchmark')].find(isDirectory);
  const own = /^benchmarks?$/.test(basename(cwd)) ? cwd : undefined;
  return below ?? nodeCoreAround(join(cwd, 'group')) ?? own;
}

/**
 * The items of a command, by default `all`. Outside of a suite: the benchmarks below the directory.
 * @throws UsageError if there are none: to plan is to execute, and other files can do anything
 */
export async function itemsIn(
  named: readonly string[],
  given: string | undefined,
  cwd: string,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const items = named.length > 0 ? named : ['all'];
  if (!items.includes('all') || given !== undefined || suiteBelow(cwd) !== undefined) return items;
  const { filesOfTree } = await import('@bench-cli/subjects/code');
  const ofRepository = await filesOfTree(cwd, signal).catch(() => []);
  signal?.throwIfAborted();
  const paths = ofRepository.length > 0 ? ofRepository : benchmarksIn(cwd).map((path) => relative(cwd, path));
  const scripts = paths.filter((path) => isScript(path) && !isHidden.test(path));
  const areBenchmarks = await Promise.all(scripts.map((path) => isBenchmark(cwd, path)));
  const found = scripts.filter((_, at) => areBenchmarks[at]).sort();
  if (found.length > 0) return [...items.filter((item) => item !== 'all'), ...found];
  const problem = `no benchmark is below this directory: write a first one with ${calledCommand(['init'])}, or name files, directories or commands`;
  throw new UsageError('ERR_BENCH_SELECTION', problem);
}

/** Whether a directory has benchmarks that need no names. */
export async function hasBenchmarks(cwd: string): Promise<boolean> {
  try {
    return findFiles({ items: await itemsIn([], undefined, cwd), cwd }).all.length > 0;
  } catch {
    return false;
  }
}

/** Paths that no directory of benchmarks offers either. */
const isHidden = /(?:^|\/)(?:[._]|(?:fixtures|node_modules)\/)/;

function filesOf(item: string, suite: string, cwd: string): readonly string[] {
  if (item === 'all') return everythingIn(suite);
  if (item === '')
    throw new UsageError('ERR_BENCH_SELECTION', `unknown group or file "": ${groupsOf(suite)}`);
  // A plain word is a group first, even if the current directory contains a directory of that name.
  const candidates = /[\\/]|^\.+$/.test(item)
    ? [resolve(cwd, item), resolve(suite, item)]
    : [resolve(suite, item), resolve(cwd, item)];
  for (const path of candidates) {
    if (isDirectory(path)) return benchmarksIn(path);
    if (isFile(path)) {
      if (isScript(path)) return [path];
      const message = `${item} is not a script: ${scriptRule}${commandHint(item)}`;
      throw new UsageError('ERR_BENCH_NOT_A_SCRIPT', message);
    }
  }
  if (commandWords(item) !== undefined) return [item];
  const beside = /[\\/]/.test(item) ? candidates.map((path) => dirname(path)).find(isDirectory) : undefined;
  const names = beside === undefined ? [] : benchmarksIn(beside).map((path) => basename(path));
  if (names.length > 0) {
    const problem = `unknown file "${item}": its directory has the benchmarks ${list(names)}`;
    throw new UsageError('ERR_BENCH_SELECTION', problem);
  }
  const message = `unknown group or file "${item}": ${groupsOf(suite)}${commandHint(item)}`;
  throw new UsageError('ERR_BENCH_SELECTION', message);
}

function commandHint(word: string): string {
  return `; to measure a command, put all its words in quotes, or a space after a single one: '${word} '`;
}

/** All groups, and the files at the top. Those of a recognised suite are its own programs, such as run.js. */
function everythingIn(suite: string): readonly string[] {
  return [
    ...groupNames(suite).flatMap((group) => benchmarksIn(join(suite, group))),
    ...filesAtTop(suite).map((name) => join(suite, name)),
  ];
}

/** The names of benchmark files that are in no group. */
function filesAtTop(suite: string): readonly string[] {
  if (isNodeCore(suite)) return [];
  return publicNames(suite).filter(
    (name) => isScript(name) && !isConfiguration.test(name) && isFile(join(suite, name)),
  );
}

/** Configuration files such as bench-cli.config.ts can be at the top of a suite. */
const isConfiguration = /\.config\.[cm]?[jt]s$/;

/** The benchmarks in a directory, by the rules of the suite that it is, or is in. */
function benchmarksIn(directory: string): readonly string[] {
  if (isNodeCore(directory)) return everythingIn(directory);
  return nodeCoreAround(directory) ? nodeCoreBenchmarks(directory) : ownBenchmarks(directory);
}

function groupNames(suite: string): readonly string[] {
  return publicNames(suite).filter(
    (name) => isDirectory(join(suite, name)) && benchmarksIn(join(suite, name)).length > 0,
  );
}

/** Completions of an item: groups and files at the top of the suite, after a slash those below. */
export function offeredItems(typed: string, given: string | undefined, cwd: string): readonly string[] {
  const suite = suiteDirectory(given, cwd);
  const directory = join(suite, dirname(`${typed}_`));
  if (!typed.includes('/')) return [...groupNames(suite), ...filesAtTop(suite), 'all'];
  return isDirectory(directory) ? benchmarksIn(directory).map((path) => nameOf(path, suite)) : [];
}

function groupsOf(suite: string): string {
  const groups = groupNames(suite);
  const files = filesAtTop(suite);
  if (groups.length + files.length === 0) return `the suite ${suite} has no groups, set another with --suite`;
  const parts = [
    ...(groups.length > 0 ? [`the groups ${list(groups)}`] : []),
    ...(files.length > 0 ? [`the files ${list(files)}`] : []),
  ];
  return `the suite ${suite} has ${parts.join(' and ')}`;
}

/** The first names, and how many others there are. */
export function list(names: readonly string[]): string {
  const shown = names.slice(0, 30).join(', ');
  return names.length > 30 ? `${shown}, and ${names.length - 30} more` : shown;
}

function nameOf(path: string, given: string): string {
  const suite = nodeCoreAround(path) ?? given;
  const inside = relative(suite, path);
  const name = inside.startsWith('..') ? join(basename(dirname(path)), basename(path)) : inside;
  return name.split(sep).join('/');
}
