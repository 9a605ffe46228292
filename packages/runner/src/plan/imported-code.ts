import { createHash } from 'node:crypto';
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
import { delimiter, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ImportedCode } from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { ownPath } from '../locations.ts';
import type { PlacedRequest, PlacedSubject } from '../subject/placement.ts';
import { isFile } from '../suite/script-files.ts';

type Code = Readonly<Record<string, ImportedCode>>;

export type ImportedFiles = ReturnType<typeof importedFilesOf>;

/** Collects the files that the processes of subjects load, by the subject's name. Bun and Deno do not report them. */
export function importedFilesOf(
  { files, subjects, settings: { cwd } }: PlacedRequest,
  env: NodeJS.ProcessEnv,
) {
  const known = new Map<string, Set<string>>();
  const beganMs = Date.now();

  /** Absolute paths. Files of this program, and of a session, are not code of the subject. */
  const newFiles = ({ name, importedFiles, executable }: PlacedSubject, hasCommands: boolean) => {
    const old = known.get(name) ?? new Set([realpathSync(executable)]);
    known.set(name, old);
    if (importedFiles === undefined) return [];
    const lists = readdirSync(importedFiles).map((list) => join(importedFiles, list));
    const loaded = lists.flatMap((list) => {
      // A process that was killed can have written a part.
      const urls: readonly string[] = orElse(() => JSON.parse(readFileSync(list, 'utf8')), []);
      rmSync(list);
      return urls;
    });
    const programDirectory = ownPath('.');
    const found = loaded
      .filter((file) => hasCommands || file.startsWith('file:'))
      .map((file) => (file.startsWith('file:') ? fileURLToPath(file) : file))
      .filter((path) => !old.has(path) && !path.startsWith(programDirectory) && existsSync(path));
    for (const path of found) old.add(path);
    return [...new Set(found)];
  };

  return {
    /** The files that were loaded while planning, and the programs of whole commands. */
    planned(): Code {
      const words = files.flatMap(({ command: [program] = [] }) => program ?? []);
      return Object.fromEntries(
        subjects.flatMap((subject) => {
          const programs = words.flatMap((word) => programOf(word, subject, cwd, env) ?? []);
          const paths = [...new Set([...newFiles(subject, words.length > 0), ...programs])];
          const name = (path: string) => {
            const named = nameOf(path, subject, cwd);
            // A program that is not part of the project has the same place on all machines.
            const isElsewhere = words.length > 0 && named.startsWith('../') && isExecutable(path);
            return packageOf(named) ?? (isElsewhere ? path : named);
          };
          return paths.length === 0 ? [] : [[subject.name, digestsOf(paths, name)]];
        }),
      );
    },

    /** The files that a subject loaded since the last call, except those that benchmarks have written. */
    later(name: string): ImportedCode | undefined {
      const subject = subjects.find((each) => each.name === name);
      if (subject === undefined) return undefined;
      const paths = newFiles(subject, false).filter((path) => statSync(path).mtimeMs < beganMs);
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
  const roots = [view === undefined ? undefined : realpathSync(view), source?.directory, cwd];
  return roots.filter((root) => root !== undefined);
}
