import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { LoadedCode, SessionRequest, Subject, SubjectSource } from '@bench-cli/results/recording';
import { orElse, propertyIn } from '@bench-cli/system';
import { changedPaths, filesOfTree, ignoredFiles } from './git-source.ts';

type Loaded = Readonly<Record<string, LoadedCode>>;

/** A build that a subject loads: a file of its package that git ignores. */
interface LoadedBuild {
  readonly path: string;
  readonly builtAt: string;
  /** Why it may not be a build of its sources, as the rest of a sentence; undefined if nothing contradicts that. */
  readonly doubt: string | undefined;
}

/**
 * Finds the builds that a subject loads of a directory. A commit is built from its own files, but nothing says of which files a build in a
 * directory is. Only the package of the subject is searched, so there is at most one.
 */
export async function loadedBuilds(
  subject: Subject,
  loaded: Loaded,
  { subjects, settings: { prepare } }: Pick<SessionRequest, 'subjects' | 'settings'>,
): Promise<readonly LoadedBuild[]> {
  const { name, source } = subject;
  if (source?.commit === undefined || source.label.startsWith('git:')) return [];
  if (prepare === undefined && !isBuilt(source)) return [];
  const { directory, path: inside } = source;
  const names = Object.keys(loaded[name]?.files ?? {}).filter(
    (file) => !/^\.\.\/|^node_modules\//.test(file),
  );
  const [path] = await ignoredFiles(directory, names);
  if (path === undefined) return [];
  const builtMs = newestIn(dirname(join(directory, path)));
  const later = (await filesOfTree(join(directory, inside))).find(
    (file) => isSource(file) && modifiedMs(join(directory, inside, file)) > builtMs,
  );
  const doubt =
    later === undefined ? await otherBuild(subject, subjects, loaded, path) : `${later} changed later`;
  return [{ path, builtAt: new Date(builtMs).toISOString(), doubt }];
}

/** Names another subject that has another build of the same sources. */
async function otherBuild(
  subject: Subject,
  subjects: readonly Subject[],
  loaded: Loaded,
  path: string,
): Promise<string | undefined> {
  for (const other of subjects) {
    const [own, others] = [subject, other].map(({ name }) => loaded[name]?.files[path]);
    if (other.source?.commit === undefined || others === undefined || own === others) continue;
    const changed = await changedPaths([other, subject]);
    if (!changed.some(isSource)) return `${other.name} has another build of the same sources`;
  }
  return undefined;
}

function isBuilt({ directory, path }: SubjectSource): boolean {
  const manifest = join(directory, path, 'package.json');
  const scripts = existsSync(manifest) ? propertyIn(manifest, 'scripts') : undefined;
  return Object.keys(Object(scripts)).some((name) => /^(?:build|compile|prepare|prepack)\b/.test(name));
}

/** Whether a build depends on a file: code that is no test, benchmark or example. */
function isSource(path: string): boolean {
  const isCode = /(?<!\.d)\.(?:[cm]?[jt]sx?|json|wat|c|cc|cpp|h|hpp|rs|go|zig)$/.test(path);
  if (/(?:^|\/)bench-cli\.config\.\w+$/.test(path)) return false;
  const isBeside =
    /(?:^|\/)(?:__tests__|tests?|benchmarks?|bench|examples?|docs|scripts)\/|\.(?:test|spec|bench)\./;
  return isCode && !isBeside.test(path) && !/(?:^|\/)package(?:-lock)?\.json$/.test(path);
}

function newestIn(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Math.max(...files.map(({ parentPath, name }) => modifiedMs(join(parentPath, name))));
}

function modifiedMs(path: string): number {
  return orElse(() => statSync(path).mtimeMs, 0);
}
