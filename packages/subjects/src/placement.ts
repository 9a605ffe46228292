import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SessionRequest, Subject, SubjectSource } from '@bench-cli/results/recording';
import { propertyIn, requiredBy } from '@bench-cli/system';
import { workspacePackages } from './package-manager.ts';
import { createView } from './view.ts';

/** A subject as its processes see it. */
export interface PlacedSubject extends Subject {
  /** For each package that a preload serves, the URL of the file that imports it for the benchmark. */
  readonly imports?: Readonly<Record<string, string>> | undefined;
  /** The directory where it has copies of the benchmarks of `source.base`. */
  readonly view?: string | undefined;
  /** The link by which benchmarks import the package of its source. */
  readonly link?: string | undefined;
  /** The directory for the names of the files that it loads. */
  readonly importedFiles?: string | undefined;
}

export interface PlacedRequest extends SessionRequest {
  readonly subjects: readonly PlacedSubject[];
}

/**
 * Puts the files of subjects in place: what is measured is imported by its name, and the benchmarks of the
 * working tree are beside the files of each source.
 * @param directory for the files of this session
 */
export function placeRequest(request: SessionRequest, directory: string): PlacedRequest {
  const { files, settings } = request;
  const scripts = files.filter(({ command }) => command === undefined);
  const subjects = request.subjects.map((each, at): PlacedSubject => {
    const importedFiles = join(directory, `imported-${at}`);
    mkdirSync(importedFiles, { recursive: true });
    const subject = { ...each, importedFiles };
    const { source, packages, runtime } = subject;
    if (source === undefined && packages === undefined) return subject;
    const served = packages?.map((each) => [each.name, importing(each.directory, each.name)] as const) ?? [];
    if (source === undefined) return { ...subject, imports: Object.fromEntries(served) };
    const name = packageName(source);
    const measured = name === undefined ? undefined : { name, path: join(source.directory, source.path) };
    // Only Node.js has the preload; others find the package beside the benchmark.
    const isServed = runtime.name === 'node';
    const isNeeded = settings.benchmarksFrom !== 'subject' && scripts.length > 0;
    const isViewed = isNeeded && !(isServed && source.directory === source.base);
    const view = isViewed ? createView(source, scripts, join(directory, `view-${at}`), measured) : undefined;
    const root = view ?? source.directory;
    const cwd = subject.cwd ?? resolve(root, relative(source.base, settings.cwd));
    const linkOf = (name: string) => join(directory, `package-${at}`, 'node_modules', name);
    const { members, importers } = plugged(source);
    const linked = isServed ? [...members, ...(measured ? [measured] : [])] : [];
    for (const [name, path] of new Map(linked.map((each) => [each.name, each.path]))) {
      mkdirSync(dirname(linkOf(name)), { recursive: true });
      symlinkSync(path, linkOf(name));
    }
    const links = linked.map(({ name }) => [name, importing(linkOf(name), name)] as const);
    const imports = Object.fromEntries([...importers, ...links, ...served]);
    return { ...subject, view, cwd, link: measured && isServed ? linkOf(measured.name) : undefined, imports };
  });
  return { ...request, subjects };
}

/** Returns a function that replaces the paths of copies and links in texts by the original ones. */
export function originalPlaces({ subjects }: PlacedRequest): (text: string) => string {
  const places = subjects.flatMap(({ view, source, link, imports = {} }) => [
    ...(source && view ? [[realpathSync(view), source.base] as const] : []),
    ...(source && link ? [[link, join(source.directory, source.path)] as const] : []),
    ...Object.values(imports).map((url) => [fileURLToPath(url), 'the benchmark'] as const),
  ]);
  return (text) => places.reduce((shown, [placed, own]) => shown.replaceAll(placed, own), text);
}

/**
 * Packages that Yarn's Plug'n'Play finds only for files of the working tree, each with such a file, and those
 * of the workspace at their places in the source.
 */
function plugged({ base, path, directory }: SubjectSource) {
  if (!existsSync(join(base, '.pnp.cjs'))) return { members: [], importers: [] };
  const packages = workspacePackages(join(base, path));
  const importers = [...packages.map((each) => each.directory), base, join(base, path)].flatMap((each) => {
    const manifest = join(each, 'package.json');
    return requiredBy(manifest).map((name) => [name, pathToFileURL(manifest).href] as const);
  });
  const members = packages
    .filter(({ name }) => name !== '')
    .map((each) => ({ name: each.name, path: join(directory, relative(base, each.directory)) }));
  return { members, importers };
}

/** The URL of a file that would import a package from the directory where it is installed. */
function importing(installed: string, name: string): string {
  const project = installed.slice(0, -join('node_modules', name).length);
  return pathToFileURL(join(project, 'benchmark.js')).href;
}

function packageName({ directory, path }: SubjectSource): string | undefined {
  const name = propertyIn(join(directory, path, 'package.json'), 'name');
  // The name becomes part of a path.
  return typeof name === 'string' && /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*$/.test(name) ? name : undefined;
}
