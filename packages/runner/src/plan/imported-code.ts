import { createHash, hash } from 'node:crypto';
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
import { delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchmarkFile, ImportedCode } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { ownPath } from '../locations.ts';
import type { PlacedRequest, PlacedSubject } from '../subject/placement.ts';
import { isFile } from '../suite/script-files.ts';

type Code = Readonly<Record<string, ImportedCode>>;

export type ImportedFiles = ReturnType<typeof importedFilesOf>;

/** Collects the files that the processes of subjects load, by the subject's name. Bun and Deno do not report them. */
export function importedFilesOf(
  { files, subjects: placed, settings: { cwd } }: PlacedRequest,
  env: NodeJS.ProcessEnv,
) {
  const subjects = placed.map(({ view, ...subject }) => ({ ...subject, view: view && realpathSync(view) }));
  const executables = new Map(subjects.map(({ name, executable }) => [name, realpathSync(executable)]));
  const known = new Map(subjects.map(({ name }) => [name, new Set<string>()]));
  /** The files that each subject loads to plan a benchmark file. */
  const plans = new Map<string, ReadonlyMap<string, readonly string[]>>();
  // Copies of benchmarks were made just now.
  const beganMs = Date.now() + 1;
  const programDirectory = ownPath('.');
  const digests = new Map<string, string | undefined>();
  /** Cases load mostly the same files. */
  const digestOf = (path: string) => {
    if (!digests.has(path)) digests.set(path, digestBefore(beganMs, path));
    return digests.get(path);
  };

  /** Reads what the processes of a subject report since the last call. Files of this program, and of a session, are not code of the subject. */
  const read = ({ name, importedFiles, view }: PlacedSubject, isCommand = false): Inputs => {
    if (importedFiles === undefined) return { paths: [], unseen: [] };
    const session = `${dirname(realpathSync(importedFiles))}${sep}`;
    const isOfSubject = (path: string) =>
      !path.startsWith(session) || (view !== undefined && path.startsWith(view));
    const loaded = readdirSync(importedFiles).flatMap((file) => {
      const list = join(importedFiles, file);
      // A process that was killed can have written a part.
      const urls: readonly string[] = orElse(() => JSON.parse(readFileSync(list, 'utf8')), []);
      rmSync(list);
      return urls;
    });
    const paths = loaded
      .filter((url) => url.startsWith('file:') || (isCommand && isAbsolute(url)))
      .map((url) => (url.startsWith('file:') ? fileURLToPath(url) : url))
      .filter(
        (path) =>
          path !== executables.get(name) &&
          !path.startsWith(programDirectory) &&
          isOfSubject(path) &&
          existsSync(path),
      );
    const unseen = loaded.flatMap((url) => (url.startsWith('unseen:') ? [url.slice(7)] : []));
    return { paths: [...new Set(paths)], unseen: [...new Set(unseen)] };
  };

  const remember = (name: string, paths: readonly string[]) => {
    const old = known.get(name);
    const added = paths.filter((path) => !old?.has(path));
    for (const path of added) old?.add(path);
    return added;
  };

  return {
    /** Takes the files that were loaded to plan a benchmark file. */
    take({ name: file, command }: BenchmarkFile): void {
      const paths = subjects.map((subject) => {
        const loaded = read(subject, command !== undefined).paths;
        const found = command === undefined ? loaded : [...loaded, ...filesIn(command, subject, cwd, env)];
        remember(subject.name, found);
        return [subject.name, found] as const;
      });
      plans.set(file, new Map(paths));
    },

    /** The files that were loaded while planning, and the programs of whole commands. */
    planned(): Code {
      const hasCommands = files.some(({ command }) => command !== undefined);
      return Object.fromEntries(
        subjects.flatMap((subject) => {
          const loaded = Array.from(plans.values()).flatMap((plan) => plan.get(subject.name) ?? []);
          // What a command has written when it was planned is not its code.
          const paths = [...new Set(loaded)].filter(
            (path) => !hasCommands || statSync(path).mtimeMs < beganMs,
          );
          const name = (path: string) => {
            const named = nameOf(path, subject, cwd);
            // A program that is not part of the project has the same place on all machines.
            const isElsewhere = hasCommands && named.startsWith('../') && isExecutable(path);
            return packageOf(named) ?? (isElsewhere ? path : named);
          };
          return paths.length === 0 ? [] : [[subject.name, digestsOf(paths, name)]];
        }),
      );
    },

    /** What each subject loads to plan a benchmark file. */
    planOf: (file: string): Contents =>
      new Map(
        subjects.map((subject) => [
          subject.name,
          contentOf(plans.get(file)?.get(subject.name) ?? [], subject, cwd, digestOf),
        ]),
      ),

    /** What the processes of a subject have loaded and read since the last call, which no results file records. */
    observed(name: string) {
      const subject = subjects.find((each) => each.name === name);
      if (subject === undefined) throw new RangeError(`unknown subject ${name}`);
      const { paths, unseen } = read(subject);
      return { content: contentOf(paths, subject, cwd, digestOf), unseen };
    },

    /** The files that a subject loaded since the last call, except those that benchmarks have written. */
    later(name: string): ImportedCode | undefined {
      const subject = subjects.find((each) => each.name === name);
      if (subject === undefined) return undefined;
      const paths = remember(name, read(subject).paths).filter((path) => statSync(path).mtimeMs < beganMs);
      return paths.length === 0 ? undefined : digestsOf(paths, (path) => nameOf(path, subject, cwd));
    },

    /** The files as they are now that `later` has named in another session. */
    now(recorded: Code): Code {
      return Object.fromEntries(
        subjects.map((subject) => {
          const places = Object.keys(recorded[subject.name] ?? {}).flatMap((name) => {
            const path = rootsOf(subject, cwd)
              .map((root) => resolve(root, name))
              .find(isFile);
            return path === undefined ? [] : [[path, name] as const];
          });
          const names = new Map(places);
          return [subject.name, digestsOf([...names.keys()], (path) => names.get(path) ?? path)];
        }),
      );
    },
  };
}

/** What processes report. */
interface Inputs {
  readonly paths: readonly string[];
  /** What they did that can load other files, such as `starts a worker`. */
  readonly unseen: readonly string[];
}

/** The content of files by names, which are the same under all subjects. */
export type Content = ReadonlyMap<string, string>;
/** By the names of subjects. */
export type Contents = ReadonlyMap<string, Content>;

/** A file that is not in a subject, nor in a package, has the same content for all that read it. */
function contentOf(
  paths: readonly string[],
  subject: PlacedSubject,
  cwd: string,
  digestOf: (path: string) => string | undefined,
): Content {
  const found = paths.flatMap((path): readonly (readonly [string, string])[] => {
    const name = nameOf(path, subject, cwd);
    const installed = name.lastIndexOf('node_modules/');
    if (name.startsWith('../') && installed < 0) return [[path, '']];
    const digest = digestOf(path);
    return digest === undefined ? [] : [[installed < 0 ? name : name.slice(installed), digest]];
  });
  return new Map(
    Array.from(
      Map.groupBy(found, ([name]) => name),
      ([name, group]) => [
        name,
        group
          .map(([, digest]) => digest)
          .sort()
          .join(),
      ],
    ),
  );
}

/** SHA-256 of a file, or of the names in a directory; undefined if it is newer, because benchmarks write files. */
function digestBefore(beganMs: number, path: string): string | undefined {
  const stats = statSync(path);
  if (stats.mtimeMs >= beganMs || !(stats.isFile() || stats.isDirectory())) return undefined;
  return hash('sha256', stats.isFile() ? readFileSync(path) : readdirSync(path).sort().join('\n'));
}

/** The program of a whole command, and the files among its other words, such as the script of an interpreter. */
function filesIn(
  [program = '', ...words]: readonly string[],
  subject: PlacedSubject,
  cwd: string,
  env: NodeJS.ProcessEnv,
): readonly string[] {
  const given = words.map((word) => resolve(subject.cwd ?? cwd, word)).filter(isFile);
  return [...given.map((path) => realpathSync(path)), programOf(program, subject, cwd, env) ?? []].flat();
}

/** The file that the system executes for the first word of a command. */
function programOf(
  word: string,
  subject: PlacedSubject,
  cwd: string,
  env: NodeJS.ProcessEnv,
): string | undefined {
  if (word === subject.runtime.name) return undefined;
  const { PATH = '' } = { ...env, ...subject.env };
  const path = (word.includes('/') ? [''] : PATH.split(delimiter))
    .map((directory) => resolve(subject.cwd ?? cwd, directory, word))
    .find((each) => isFile(each) && isExecutable(each));
  return path && realpathSync(path);
}

function isExecutable(path: string): boolean {
  return orElse(() => {
    accessSync(path, constants.X_OK);
    return true;
  }, false);
}

function digestsOf(paths: readonly string[], nameOf: (path: string) => string): ImportedCode {
  return Object.fromEntries(
    Array.from(Map.groupBy(paths, nameOf), ([name, group]): [string, string] => {
      const hash = createHash('sha256');
      for (const path of [...group].sort()) hash.update(readFileSync(path));
      return [name, hash.digest('hex').slice(0, 32)];
    }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** All files of a package in `node_modules` have one name. @param path from the root of the subject, which can be in a cache there */
function packageOf(path: string): string | undefined {
  const parts = path.split('/');
  const at = parts.lastIndexOf('node_modules');
  return at < 0 ? undefined : parts.slice(at, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join('/');
}

/** The name of a file on any machine. */
function nameOf(path: string, subject: PlacedSubject, cwd: string): string {
  const root = rootsOf(subject, cwd).find((each) => path.startsWith(`${each}${sep}`)) ?? cwd;
  return relative(root, path).split(sep).join('/');
}

function rootsOf({ source, view }: PlacedSubject, cwd: string): readonly string[] {
  const roots = [view, source?.directory, cwd];
  return roots.filter((root) => root !== undefined);
}
