import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { LoadedCode, SessionSettings, Subject, SubjectSource } from '@bench-cli/results/recording';
import { orElse, propertyIn } from '@bench-cli/system';
import { changedPaths, filesOfTree, ignoredFiles } from './git-source.ts';

type Loaded = Readonly<Record<string, LoadedCode>>;

/** The build of a package that a subject loads: files that git ignores. */
interface LoadedBuild {
  readonly path: string;
  readonly builtAt: string;
  /** Why the build may not be of its sources, as the rest of a sentence; undefined without such a reason. */
  readonly doubt: string | undefined;
  /** Which package is not built since which source changed, if another subject shares the build. */
  readonly stale: string | undefined;
}

/** A package of a tree, with the packages that its build can contain. */
interface TreePackage {
  /** Below the root of the tree, empty at the root. */
  readonly path: string;
  /** The files that a build can depend on, below the root of the tree. */
  readonly sources: readonly string[];
}

/**
 * Finds the builds that a subject loads of a directory, one for each package. A commit is built from its own
 * files, but nothing says of which files a build in a directory is.
 */
export async function loadedBuilds(
  { name, source }: Subject,
  loaded: Loaded,
  {
    subjects,
    settings,
  }: { readonly subjects: readonly Subject[]; readonly settings: Pick<SessionSettings, 'prepare'> },
): Promise<readonly LoadedBuild[]> {
  if (source?.commit === undefined || source.label.startsWith('git:')) return [];
  const { directory } = source;
  const modules = Object.keys(loaded[name]?.files ?? {}).filter(
    (file) => !/^\.\.\/|^node_modules\//.test(file),
  );
  const files = [...modules, ...modules.flatMap((file) => dataNamedBy(file, directory))];
  const ignored = await ignoredFiles(directory, files);
  if (ignored.length === 0) return [];
  const packages = packagesIn(directory, await filesOfTree(directory), files);
  const builds = Map.groupBy(ignored, (path) => packageOf(path, packages));
  const isBuilt = ({ path }: TreePackage) =>
    settings.prepare !== undefined ||
    [path, source.path, ''].some((each) => hasBuildScript(join(directory, each)));
  return Promise.all(
    [...builds]
      .filter(([ofPackage]) => isBuilt(ofPackage))
      .map(([ofPackage, paths]) => buildOf(ofPackage, paths, source, subjects)),
  );
}

async function buildOf(
  { path: packagePath, sources }: TreePackage,
  paths: readonly string[],
  source: SubjectSource,
  subjects: readonly Subject[],
): Promise<LoadedBuild> {
  const { directory } = source;
  const builtMs = await builtAt(directory, packagePath, paths);
  const later = sources.filter((file) => modifiedMs(join(directory, file)) > builtMs);
  let doubt = later[0] && `${later[0]} changed later`;
  let stale: string | undefined;
  for (const other of subjects) {
    if (other.source?.commit === undefined || other.source.directory === directory) continue;
    const [own, others] = [directory, other.source.directory].map((root) =>
      paths.map((path) => contentOf(join(root, path))),
    );
    if (own === undefined || others === undefined || others.every((content) => content === undefined))
      continue;
    const changed = (await changedPaths([other, { source }])).filter((file) => sources.includes(file));
    const isSame = own.every((content, index) => content === others[index]);
    const unbuilt = changed.find((file) => later.includes(file));
    if (isSame && unbuilt !== undefined)
      stale = `${packagePath || 'the package'} is not built since ${unbuilt} changed`;
    if (!isSame && changed.length === 0) doubt ??= `${other.name} has another build of the same sources`;
  }
  return { path: paths[0] ?? '', builtAt: new Date(builtMs).toISOString(), doubt, stale };
}

/** WebAssembly, addons and other data that a module names in its text and that no import loads. */
function dataNamedBy(module: string, root: string): readonly string[] {
  const text = contentOf(join(root, module)) ?? '';
  const names = [...text.matchAll(/["'`]([^"'`\n]+\.(?:wasm|node|bin|dat))["'`]/g)].map(
    ([, name = '']) => name,
  );
  const paths = names.map((name) => join(dirname(module), name));
  return paths.filter((path) => !path.startsWith('..') && existsSync(join(root, path)));
}

/**
 * The packages of a tree. A build contains packages of its workspace that the package requires and nothing
 * loads by itself: it bundles them.
 */
function packagesIn(
  root: string,
  files: readonly string[],
  loaded: readonly string[],
): readonly TreePackage[] {
  const manifests = files.filter((file) => /(?:^|\/)package\.json$/.test(file));
  const paths = manifests
    .map((file) => file.replace(/\/?package\.json$/, ''))
    .sort((a, b) => b.length - a.length);
  const ownerOf = (file: string) => paths.find((path) => isBelow(file, path)) ?? '';
  const ownSources = Map.groupBy(files.filter(isSource), ownerOf);
  const loadedPaths = new Set(loaded.map(ownerOf));
  const byName = new Map(paths.map((path) => [String(propertyIn(manifestIn(root, path), 'name')), path]));
  const bundledBy = (path: string) =>
    ['dependencies', 'devDependencies']
      .flatMap((kind) => Object.keys(Object(propertyIn(manifestIn(root, path), kind))))
      .flatMap((name) => byName.get(name) ?? [])
      .filter((each) => !loadedPaths.has(each));
  return (paths.includes('') ? paths : [...paths, '']).map((path) => {
    const contained = new Set([path]);
    // A set is iterated in the order of insertion, including what is added meanwhile.
    for (const each of contained) for (const bundled of bundledBy(each)) contained.add(bundled);
    return { path, sources: [...contained].flatMap((each) => ownSources.get(each) ?? []) };
  });
}

/** The innermost package that has a file. */
function packageOf(file: string, packages: readonly TreePackage[]): TreePackage {
  return packages.find(({ path }) => isBelow(file, path)) ?? { path: '', sources: [] };
}

function isBelow(file: string, path: string): boolean {
  return path === '' || file.startsWith(`${path}/`);
}

function manifestIn(root: string, path: string): string {
  return join(root, path, 'package.json');
}

function hasBuildScript(directory: string): boolean {
  const manifest = manifestIn(directory, '');
  const scripts = existsSync(manifest) ? propertyIn(manifest, 'scripts') : undefined;
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
async function builtAt(root: string, packagePath: string, paths: readonly string[]): Promise<number> {
  const outputs = paths.map((path) => {
    const [top = ''] = relative(packagePath, path).split('/');
    return join(packagePath, top);
  });
  // The compiler of TypeScript writes it beside the package's configuration also if no output has changed.
  const notes = readdirSync(join(root, packagePath)).filter((name) => name.endsWith('.tsbuildinfo'));
  const built = [...(await ignoredFiles(root, outputs)), ...notes.map((name) => join(packagePath, name))];
  return Math.max(...built.map((path) => modifiedMs(join(root, path))));
}

function modifiedMs(path: string): number {
  return orElse(() => statSync(path).mtimeMs, 0);
}

function contentOf(path: string): string | undefined {
  return orElse(() => readFileSync(path, 'latin1'), undefined);
}
