import { hash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentPath } from '@bench-cli/agent';
import type { BenchmarkFile, LoadedCode, LoadedFiles, SessionRequest } from '@bench-cli/results/recording';
import type { PlacedRequest, PlacedSubject } from '@bench-cli/subjects';
import { isFile, orElse, propertyIn, requiredBy } from '@bench-cli/system';
import { copyOf } from './benchmark-copies.ts';

/** Collects the files that processes load. Bun and Deno report only the benchmarks. */
export function sessionFiles(
  { subjects: placed, settings: { cwd } }: Pick<PlacedRequest, 'subjects' | 'settings'>,
  env: NodeJS.ProcessEnv,
) {
  const subjects = placed.map((each) => ({ ...each, view: each.view && realpathSync(each.view) }));
  const known = new Map(subjects.map(({ name }) => [name, new Set<string>()]));
  /** The files that each subject loads to plan a benchmark file; undefined if it does not report them. */
  const plans = new Map<string, ReadonlyMap<string, readonly string[] | undefined>>();
  // Copies of benchmarks were made just now.
  const beganMs = Date.now() + 1;
  /** Benchmarks and commands write files, which are not their code. */
  const isOlder = (path: string) => statSync(path).mtimeMs < beganMs;
  const digests = new Map<string, string>();
  /** Benchmarks load mostly the same files. */
  const digestOf = (path: string) => {
    const digest = digests.get(path) ?? contentDigest(path);
    digests.set(path, digest);
    return digest;
  };
  /** Files of a subject by the names that they have under all subjects. */
  const filesOf = (subject: PlacedSubject, paths: readonly string[]): LoadedFiles =>
    digestsByName(paths, (path) => nameOf(path, subject, cwd), digestOf);

  return {
    take(file: BenchmarkFile): void {
      const paths = subjects.map((subject) => {
        const { name } = subject;
        const reported = reportedBy(subject, file.command !== undefined);
        const entries = file.command
          ? filesIn(file.command, subject, cwd, env)
          : [copyOf(file, subject, cwd)];
        const executed = entries.filter(isFile).map((path) => realpathSync(path));
        const loaded = [...new Set([...reported, ...executed])];
        // Files that a command wrote during planning are not its code.
        for (const path of loaded) if (!file.command || isOlder(path)) known.get(name)?.add(path);
        const isReported = file.command !== undefined || executed.every((path) => reported.includes(path));
        return [name, isReported ? loaded : undefined] as const;
      });
      plans.set(file.name, new Map(paths));
    },

    pathsOf: (file: string, subject: string) => plans.get(file)?.get(subject),

    filesOf,

    /** The files that were loaded while planning, with the benchmarks and the programs of whole commands. */
    planned: (): Record<string, LoadedCode> =>
      Object.fromEntries(
        subjects.map((subject) => {
          const paths = [...(known.get(subject.name) ?? [])];
          const packages = dependencyVersions(paths, cwd);
          const files = filesOf(subject, paths);
          return [subject.name, { files, ...(Object.keys(packages).length > 0 && { packages }) }];
        }),
      ),

    /** The files that a subject loaded since the last call, except those that benchmarks have written. */
    later(name: string): LoadedFiles | undefined {
      const subject = subjects.find((each) => each.name === name);
      if (subject === undefined) return undefined;
      const paths = reportedBy(subject).filter((path) => !known.get(name)?.has(path));
      for (const path of paths) known.get(name)?.add(path);
      const older = paths.filter(isOlder);
      if (older.length === 0) return undefined;
      return digestsByName(older, (path) => placeOf(path, subject, cwd), digestOf);
    },
  };
}

/** What processes report since the last call. @param isCommand whether the program is part of the code */
function reportedBy(
  { executable, importedFiles, view }: PlacedSubject,
  isCommand = false,
): readonly string[] {
  if (importedFiles === undefined) return [];
  const session = `${dirname(realpathSync(importedFiles))}${sep}`;
  const runtime = realpathSync(executable);
  const isCode = (path: string) =>
    path !== runtime &&
    !path.startsWith(agentPath('.')) &&
    // Yarn's Plug'n'Play only finds packages, whose files count.
    !/[\\/]\.pnp\.(?:cjs|loader\.mjs)$/.test(path) &&
    (!path.startsWith(session) || (view !== undefined && path.startsWith(view))) &&
    existsSync(path);
  const urls = readdirSync(importedFiles).flatMap((file): readonly string[] => {
    const list = join(importedFiles, file);
    // A process that was killed can have written a part.
    const loaded = orElse(() => JSON.parse(readFileSync(list, 'utf8')), []);
    rmSync(list);
    return loaded;
  });
  return urls
    .filter((url) => url.startsWith('file:') || (isCommand && isAbsolute(url)))
    .map((url) => (url.startsWith('file:') ? fileURLToPath(url) : url))
    .filter(isCode);
}

/** The versions of the packages of loaded files that the project names as dependencies. */
function dependencyVersions(paths: readonly string[], cwd: string): Readonly<Record<string, string>> {
  const required = new Set(requiredBy(join(cwd, 'package.json')));
  const directories = new Set(paths.flatMap((path) => packageDirectory.exec(path)?.[0] ?? []));
  const textIn = (directory: string, key: string) =>
    String(propertyIn(join(directory, 'package.json'), key) ?? '');
  const named = [...directories].filter((directory) => required.has(textIn(directory, 'name')));
  return Object.fromEntries(named.map((each) => [textIn(each, 'name'), textIn(each, 'version')]));
}

const packageDirectory = /^.*[/\\]node_modules[/\\](?!@bench-cli[/\\])(?:@[^/\\]+[/\\])?[^/\\]+/;

/** The program of a whole command, and the files among its arguments, such as a script. */
function filesIn(
  [program = '', ...words]: readonly string[],
  { cwd: ofSubject, runtime, env: variables }: PlacedSubject,
  cwd: string,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const pathOf = (...parts: readonly string[]) => resolve(ofSubject ?? cwd, ...parts);
  const { PATH = '' } = { ...env, ...variables };
  const directories = program.includes('/') ? [''] : PATH.split(delimiter);
  const programs = program === runtime.name ? [] : directories.map((each) => pathOf(each, program));
  const executed = programs.find((path) => isFile(path) && isExecutable(path));
  return [...words.map((word) => pathOf(word)), executed ?? ''];
}

function isExecutable(path: string): boolean {
  return orElse(() => {
    accessSync(path, constants.X_OK);
    return true;
  }, false);
}

function contentDigest(path: string): string {
  // A file that cannot be read fails where it is executed.
  return orElse(() => hash('sha256', readFileSync(path)), 'unreadable');
}

/** Digests of files by name. Files with one name, such as the files of a package, have one digest. */
export function digestsByName(
  paths: readonly string[],
  nameOf: (path: string) => string,
  digestOf = contentDigest,
): LoadedFiles {
  const digestOfAll = (group: readonly string[]) => {
    const contents = new Set(group.map((path) => `${basename(path)} ${digestOf(path)}`));
    return hash('sha256', [...contents].sort().join()).slice(0, 32);
  };
  const groups = [...Map.groupBy(paths, nameOf)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(groups.map(([name, group]) => [name, digestOfAll(group)]));
}

/** A file outside of packages that has changed since a session loaded it. */
export function changedSince(
  loaded: Readonly<Record<string, LoadedCode>>,
  { subjects, settings: { cwd } }: SessionRequest,
): string | undefined {
  for (const subject of subjects) {
    for (const [name, digest] of Object.entries(loaded[subject.name]?.files ?? {})) {
      const places = [...new Set(rootsOf(subject, cwd).map((root) => resolve(root, name)))].filter(isFile);
      // A copy of a benchmark and a file of the tree can have one name.
      const candidates = [...places.map((path) => [path]), places];
      const isSame = candidates.some((paths) => digestsByName(paths, () => name)[name] === digest);
      if (places.length > 0 && !isSame) return places[0];
    }
  }
  return undefined;
}

/** The name of a file on any machine: in `node_modules`, that of its package. */
export function nameOf(path: string, subject: PlaceOfSubject, cwd: string): string {
  const place = placeOf(path, subject, cwd);
  // A program that is not part of the project has the same place on all machines.
  return packagePattern.exec(place)?.[1] ?? (place.startsWith('../') && isExecutable(path) ? path : place);
}

const packagePattern = /^(?:.*\/)?(node_modules\/(?:@[^/]+\/)?[^/]+)/;

function placeOf(path: string, subject: PlaceOfSubject, cwd: string): string {
  const root = rootsOf(subject, cwd).find((each) => path.startsWith(`${each}${sep}`)) ?? cwd;
  return relative(root, path).split(sep).join('/');
}

type PlaceOfSubject = Pick<PlacedSubject, 'source' | 'view' | 'cwd'>;

/** The directories in which the code of a subject is, the innermost first. */
export function rootsOf({ source, view, cwd: own }: PlaceOfSubject, cwd: string): readonly string[] {
  return [view, source?.directory, source?.base, own, cwd].filter((root) => root !== undefined);
}
