import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ownValue } from '@bench-cli/results';
import type {
  LoadedCode,
  SessionRequest,
  SessionSettings,
  Subject,
  SubjectSource,
} from '@bench-cli/results/recording';
import { orElse, propertyIn, requiredBy } from '@bench-cli/system';
import type { Signal } from './ended-tool.ts';
import { changedPaths, filesOfTree, ignoredFiles } from './git-source.ts';

/** The files of a package among loaded files that git ignores. */
type PackageBuild = Awaited<ReturnType<typeof buildsAmong>>[number];

/**
 * Finds the builds that a subject loads of a directory, one for each package. A commit is built from its own
 * files, but nothing says of which files a build in a directory is.
 */
export async function loadedBuilds(
  { name, source }: Subject,
  loaded: Readonly<Record<string, LoadedCode>>,
  { subjects, settings }: Pick<SessionRequest, 'subjects'> & { settings: Pick<SessionSettings, 'prepare'> },
  signal: Signal,
) {
  if (source?.commit === undefined || source.label.startsWith('git:')) return [];
  const { directory } = source;
  const modules = Object.keys(ownValue(loaded, name)?.files ?? {});
  const builds = await buildsAmong(modules, directory, signal);
  const isBuilt = ({ path }: PackageBuild) =>
    settings.prepare !== undefined ||
    [path, source.path, ''].some((each) => hasBuildScript(join(directory, each)));
  return Promise.all(
    builds.filter(isBuilt).map(({ sources, possible, ...build }) => {
      const isBundle = build.outputs.some(isModule);
      const isInput = (each: string) =>
        isBundle || !(modules.includes(each) || /\.[cm]?js(?:x|on)?$/.test(each));
      const inputs = [...sources, ...possible].filter(isInput);
      return judged({ ...build, sources: inputs }, { source, subjects, signal });
    }),
  );
}

/** The changed paths that no benchmark loads, itself or in a build, and those perhaps in another build. */
export async function unloadedPaths(
  paths: readonly string[],
  loaded: ReadonlySet<string>,
  { changed, directory }: { readonly changed: ReadonlySet<string>; readonly directory: string },
  signal: Signal,
) {
  const all = paths.length === 0 ? [] : await buildsAmong([...loaded], directory, signal);
  const builds = all.filter(({ outputs }) => outputs.some((file) => changed.has(file)));
  // Of a submodule, only its directory is named.
  const isIn = (kind: 'sources' | 'possible', path: string) =>
    builds.some((build) => build[kind].some((each) => isBelow(each, path)));
  const others = paths.filter((path) => !loaded.has(path) && !isIn('sources', path));
  const { bundled = [], unloaded = [] } = Object.groupBy(others, (path) =>
    isIn('possible', path) ? 'bundled' : 'unloaded',
  );
  return { bundled, unloaded };
}

async function judged(
  { path: packagePath, outputs, sources }: Omit<PackageBuild, 'possible'>,
  { source, subjects, signal }: { source: SubjectSource; subjects: readonly Subject[]; signal: Signal },
) {
  const { directory } = source;
  const contentsIn = (root: string) => outputs.map((path) => contentOf(join(root, path)));
  const builtMs = await builtAt(directory, packagePath, outputs, signal);
  const later = sources.filter((file) => modifiedMs(join(directory, file)) > builtMs);
  /** Why the build may not be of its sources, as the rest of a sentence; undefined without such a reason. */
  let doubt = later[0] && `${later[0]} changed later`;
  /** Which package is not built since which source changed, if another subject shares the build. */
  let stale: string | undefined;
  for (const other of subjects) {
    if (other.source?.commit === undefined || other.source.directory === directory) continue;
    const [own, others] = [contentsIn(directory), contentsIn(other.source.directory)];
    if (others.every((content) => content === undefined)) continue;
    const differing = await changedPaths([other, { source }], signal);
    // Of a submodule, only its directory is named.
    const changed = sources.filter((file) => differing.some((path) => isBelow(file, path)));
    const isSame = own.every((content, index) => content === others[index]);
    const unbuilt = changed.find((file) => later.includes(file));
    if (isSame && unbuilt !== undefined)
      stale = `${packagePath || 'the package'} is not built since ${unbuilt} changed`;
    if (!isSame && changed.length === 0) doubt ??= `${other.name} has another build of the same sources`;
  }
  return { path: outputs[0] ?? '', builtAt: new Date(builtMs).toISOString(), doubt, stale };
}

/** WebAssembly, addons and other data that a module names in its text and that no import loads. */
function dataNamedBy(module: string, root: string): readonly string[] {
  const text = contentOf(join(root, module)) ?? '';
  const names = text.matchAll(/["'`]([^"'`\n]+\.(?:wasm|node|bin|dat))["'`]/g);
  const paths = Array.from(names, ([, name = '']) => join(dirname(module), name));
  return paths.filter((path) => !path.startsWith('..') && existsSync(join(root, path)));
}

/**
 * The builds among loaded files and the data that these name. A build contains the packages that its source
 * maps name. Without these, it contains packages of its workspace that the package requires and nothing loads
 * by itself.
 */
async function buildsAmong(loaded: readonly string[], root: string, signal: Signal) {
  const modules = loaded.filter((file) => !/^(?:\.\.)?\/|^node_modules\//.test(file));
  const named = [...modules, ...modules.flatMap((file) => dataNamedBy(file, root))];
  const ignored = await ignoredFiles(root, named, signal);
  const files = ignored.length === 0 ? [] : await filesOfTree(root, signal);
  const manifestIn = (path: string) => join(root, path, 'package.json');
  const paths = files
    .filter((file) => /(?:^|\/)package\.json$/.test(file))
    .map((file) => file.replace(/\/?package\.json$/, ''))
    .sort((a, b) => b.length - a.length);
  const ownerOf = (file: string) => paths.find((path) => isBelow(file, path)) ?? '';
  const sourcesOf = Map.groupBy(files.filter(isSource), ownerOf);
  const loadedPaths = new Set(named.map(ownerOf));
  const byName = new Map(paths.map((path) => [String(propertyIn(manifestIn(path), 'name')), path]));
  const bundledBy = (path: string) =>
    requiredBy(manifestIn(path))
      .flatMap((name) => byName.get(name) ?? [])
      .filter((each) => !loadedPaths.has(each));
  return Array.from(Map.groupBy(ignored, ownerOf), ([path, outputs]) => {
    const mapped = outputs.filter(isModule).map((file) => mappedSources(file, root));
    const isMapped = mapped.length > 0 && mapped.every(({ length }) => length > 0);
    const contained = new Set([path, ...(isMapped ? mapped.flat().map(ownerOf) : [])]);
    // A set is iterated in the order of insertion, including what is added meanwhile.
    for (const each of isMapped ? [] : contained) for (const name of bundledBy(each)) contained.add(name);
    const [own = [], ...others] = [...contained].map((each) => sourcesOf.get(each) ?? []);
    const bundled = others.flat();
    return {
      /** The directory of the package below the root of the tree, empty at the root. */
      path,
      outputs,
      /** The files that the build depends on, as far as is known. */
      sources: isMapped ? [...own, ...bundled] : own,
      /** Those of packages that it perhaps contains. */
      possible: isMapped ? [] : bundled,
    };
  });
}

/** The files of a tree of which a file is made, as the source map beside it says. */
function mappedSources(file: string, root: string): readonly string[] {
  const sources = propertyIn(join(root, `${file}.map`), 'sources');
  return (Array.isArray(sources) ? sources : [])
    .flatMap((each) => orElse(() => [realpathSync(join(root, dirname(file), String(each)))], []))
    .map((path) => relative(realpathSync(root), path))
    .filter((path) => !/^\.\.\/|(?:^|\/)node_modules\//.test(path));
}

function isBelow(file: string, path: string): boolean {
  return path === '' || `${file}/`.startsWith(`${path}/`);
}

/** WebAssembly and addons contain neither JavaScript nor a module that is loaded as it is. */
function isModule(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path);
}

function hasBuildScript(directory: string): boolean {
  const scripts = propertyIn(join(directory, 'package.json'), 'scripts');
  return Object.keys(Object(scripts)).some((name) => /^(?:build|compile|prepare|prepack)\b/.test(name));
}

/** Whether a build depends on a file: code that is no test, benchmark or example. */
export function isSource(path: string): boolean {
  const isCode = /(?<!\.d)\.(?:[cm]?[jt]sx?|json|wat|c|cc|cpp|h|hpp|rs|go|zig)$/.test(path);
  if (/(?:^|\/)bench-cli\.config\.\w+$/.test(path)) return false;
  const isBeside =
    /(?:^|\/)(?:__tests__|tests?|benchmarks?|bench|examples?|docs|scripts)\/|\.(?:test|spec|bench)\./;
  return isCode && !isBeside.test(path) && !/(?:^|\/)package(?:-lock)?\.json$/.test(path);
}

/** When a package was built last: the date of the newest file, since a build writes only what has changed. */
async function builtAt(root: string, packagePath: string, paths: readonly string[], signal: Signal) {
  const outputs = paths.map((path) => {
    const [top = ''] = relative(packagePath, path).split('/');
    return join(packagePath, top);
  });
  // The compiler of TypeScript writes it beside the package's configuration also if no output has changed.
  const notes = readdirSync(join(root, packagePath)).filter((name) => name.endsWith('.tsbuildinfo'));
  const built = [
    ...(await ignoredFiles(root, outputs, signal)),
    ...notes.map((name) => join(packagePath, name)),
  ];
  return Math.max(...built.map((path) => modifiedMs(join(root, path))));
}

function modifiedMs(path: string): number {
  return orElse(() => statSync(path).mtimeMs, 0);
}

function contentOf(path: string): string | undefined {
  return orElse(() => readFileSync(path, 'latin1'), undefined);
}
