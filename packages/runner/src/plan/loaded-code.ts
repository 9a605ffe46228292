import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoadedCode } from '@bench-cli/results/recording';
import { z } from 'zod';
import { ownPath } from '../locations.ts';
import { parseJson } from '../parse-json.ts';
import type { PlacedRequest, PlacedSubject } from '../subject/placement.ts';
import { isFile } from '../suite/script-files.ts';

const filesSchema = z.array(z.string());

/**
 * What the processes of each subject loaded while they planned, and the programs of whole commands that are given by a path. Bun and Deno do not tell what
 * they load.
 */
export function loadedCode({
  files: benchmarks,
  subjects,
  settings,
}: PlacedRequest): Readonly<Record<string, LoadedCode>> {
  return Object.fromEntries(
    subjects.flatMap((subject) => {
      const named = benchmarks
        .flatMap(({ command: [program] = [] }) => program ?? [])
        .map((program) => resolve(subject.cwd ?? settings.cwd, program));
      const files = [
        ...new Set([...filesOf(subject), ...named.filter(isFile).map((path) => realpathSync(path))]),
      ];
      return files.length === 0 ? [] : [[subject.name, digestsOf(files, subject, settings.cwd)]];
    }),
  );
}

/** Absolute paths. Files of this program, and of a session, are not code of the subject. */
function filesOf({ loadedFiles }: PlacedSubject): readonly string[] {
  if (loadedFiles === undefined || !existsSync(loadedFiles)) return [];
  const urls = readdirSync(loadedFiles).flatMap(
    (name) => filesSchema.safeParse(parseJson(readFileSync(join(loadedFiles, name), 'utf8'))).data ?? [],
  );
  const own = ownPath('.');
  return [...new Set(urls)]
    .map((url) => fileURLToPath(url))
    .filter((path) => !path.startsWith(own) && existsSync(path));
}

function digestsOf(files: readonly string[], subject: PlacedSubject, cwd: string): LoadedCode {
  const entries = files.map((path) => ({ path, name: nameOf(path, subject, cwd) }));
  return Object.fromEntries(
    Array.from(
      Map.groupBy(entries, ({ name }) => name),
      ([name, group]): [string, string] => {
        const hash = createHash('sha256');
        for (const path of group.map((each) => each.path).sort()) hash.update(readFileSync(path));
        return [name, hash.digest('hex').slice(0, 32)];
      },
    ).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The name of a file on any machine. All files of a package in `node_modules` have one. */
function nameOf(path: string, { source, view }: PlacedSubject, cwd: string): string {
  const parts = path.split(sep);
  const at = parts.lastIndexOf('node_modules');
  if (at >= 0) return parts.slice(at, at + (parts[at + 1]?.startsWith('@') ? 3 : 2)).join('/');
  const roots = [view === undefined ? undefined : realpathSync(view), source?.directory];
  const root = roots.find((each) => each !== undefined && path.startsWith(`${each}${sep}`)) ?? cwd;
  return relative(root, path).split(sep).join('/');
}
