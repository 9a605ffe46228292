import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type {
  ImportedCode,
  PlanRecord,
  SessionSettings,
  Subject,
  SubjectSource,
} from '@bench-cli/results/recording';
import { orElse } from '@bench-cli/system';
import { propertyIn } from '../parse-json.ts';
import { changedPaths, filesOfTree, ignoredFiles } from './git-source.ts';

type Code = Readonly<Record<string, ImportedCode>>;
type Build = NonNullable<PlanRecord['builds']>[string];

/** A build that a subject loads, and why it may be another one than that of its sources, as the rest of a sentence. */
interface LoadedBuild extends Build {
  readonly subject: string;
  readonly doubt?: string;
}

/**
 * Finds the builds that directories contain and benchmarks load: files of a package that git ignores. A commit is built from its own files, but
 * nothing says of which files a build in a directory is.
 * @param code the files that each subject loads
 */
export async function loadedBuilds(
  subjects: readonly Subject[],
  code: Code,
  { prepare }: Pick<SessionSettings, 'prepare'>,
): Promise<readonly LoadedBuild[]> {
  const builds: LoadedBuild[] = [];
  for (const subject of subjects) {
    const { name, source } = subject;
    if (source?.commit === undefined || source.label.startsWith('git:')) continue;
    if (prepare === undefined && !isBuilt(source)) continue;
    const names = Object.keys(code[name] ?? {}).filter((file) => !/^\.\.\/|^node_modules\//.test(file));
    const [path] = await ignoredFiles(source.directory, names);
    if (path === undefined) continue;
    const builtMs = newestIn(dirname(join(source.directory, path)));
    const later = (await filesOfTree(join(source.directory, source.path))).find(
      (file) => isSource(file) && modifiedMs(join(source.directory, source.path, file)) > builtMs,
    );
    const doubt =
      later === undefined ? await otherBuild(subject, subjects, code, path) : `${later} changed later`;
    builds.push({ subject: name, path, builtAt: new Date(builtMs).toISOString(), ...(doubt && { doubt }) });
  }
  return builds;
}

/** Names another subject that has another build of the same sources. */
async function otherBuild(
  subject: Subject,
  subjects: readonly Subject[],
  code: Code,
  path: string,
): Promise<string | undefined> {
  for (const other of subjects) {
    const [own, others] = [code[subject.name]?.[path], code[other.name]?.[path]];
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
