import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calledCommand, counted, shortList, UsageError } from '@bench-cli/results';
import type { LoadedFiles, PlanRecord, SessionRequest, Subject } from '@bench-cli/results/recording';
import { executeAlike } from '@bench-cli/subjects';
import { isFile } from '@bench-cli/system';
import { newSession, type OpenSession, openSession, type ProcessOptions } from '../execution/open-session.ts';
import { nameOf } from '../plan/loaded-files.ts';
import { moduleGraph, type NamedByFile } from '../plan/module-graph.ts';
import type { PlannedBenchmark } from '../plan/plan.ts';
import { loadedCode, planBenchmarks } from './planning.ts';

type Unaffected = NonNullable<PlanRecord['unaffected']>;

/**
 * Leaves out of a comparison the benchmark files that load the same under all subjects, which would only be
 * compared with themselves.
 * @throws UsageError if all do, unless that is a valid answer (`affected`)
 */
export async function divideAffected(
  planned: readonly PlannedBenchmark[],
  open: OpenSession,
  hasFailed: boolean,
): Promise<{ readonly affected: readonly PlannedBenchmark[]; readonly unaffected: Unaffected }> {
  const { request } = open.session;
  const { command, settings, subjects } = request;
  if (command !== 'compare' || settings.allowSame || !allAlike(subjects))
    return { affected: planned, unaffected: [] };
  const code = await findCode(planned, open);
  const isAffected = ({ file }: PlannedBenchmark) => code.reasons.has(file.name);
  const affected = planned.map((each) => (isAffected(each) ? each : { ...each, configurations: [] }));
  const unaffected = planned
    .filter((each) => !isAffected(each) && each.configurations.length > 0)
    .map(({ name, configurations }) => ({ name, configurations }));
  const isNothing = affected.every(({ configurations }) => configurations.length === 0);
  if (isNothing && unaffected.length > 0 && !hasFailed && !settings.affected)
    throw sameCode(request, unaffected, code);
  if (code.copied !== undefined) await open.emit({ type: 'warning', message: code.copied });
  if (code.unknown.size > 0) {
    const message = `nothing is known to differ in what these files load, so a difference can be only noise: ${shortList([...code.unknown])}; --affected --dry-run says what is not known of them`;
    await open.emit({ type: 'warning', message });
  }
  return { affected, unaffected };
}

/**
 * Compares what each benchmark file loads under each subject: the modules that its planning has loaded, and
 * those that they name.
 * @param inTrees whether files count that differ in the trees of the subjects, although all subjects execute
 * the same copy. Default: false
 */
async function findCode(
  planned: readonly PlannedBenchmark[],
  { request: { subjects, files, settings }, sessionFiles }: OpenSession,
  inTrees = false,
) {
  const known = new Map(subjects.map(({ name }): [string, NamedByFile] => [name, new Map()]));
  const isOther = otherInTrees(subjects);
  /** Why a file can differ between subjects, as the rest of a sentence. Other files load the same. */
  const reasons = new Map<string, string>();
  /** The files that load the same as far as is known. */
  const unknown = new Set<string>();
  /** The names of all files that benchmarks load, and those that differ between subjects. */
  const [loaded, changed] = [new Set<string>(), new Set<string>()];
  for (const [file, benchmarks] of Map.groupBy(planned, (benchmark) => benchmark.file.name)) {
    const contents: LoadedFiles[] = [];
    let doubt = benchmarks.map(doubtAbout).find((text) => text !== undefined);
    for (const subject of subjects) {
      const paths = sessionFiles.pathsOf(file, subject.name);
      if (paths === undefined) doubt ??= unreported;
      const { files: found, open } = await moduleGraph(paths ?? [], subject, known.get(subject.name));
      contents.push(sessionFiles.filesOf(subject, [...found]));
      const name = open && nameOf(open.path, subject, settings.cwd);
      doubt ??= name && (isCopyOf(file, name) ? open.reason : `loads ${name}, which ${open.reason}`);
    }
    const names = Object.keys(Object.assign({}, ...contents));
    const differing = names.filter((name) => new Set(contents.map((content) => content[name])).size > 1);
    for (const name of names) loaded.add(name);
    for (const name of differing) changed.add(name);
    const [differs] = inTrees ? [...differing, ...names.filter(isOther)] : differing;
    const isNew = benchmarks.some((benchmark) => benchmark.isNew);
    const reason = isNew ? 'is new' : differs && `loads ${differs}, which differs`;
    if (reason === undefined && doubt !== undefined) unknown.add(file);
    if (reason !== undefined || doubt !== undefined) reasons.set(file, reason ?? doubt ?? '');
  }
  /** Whether a file is neither a benchmark nor of this program or the system. */
  const isMeasured = (name: string) =>
    !/^\.\.\/|^node_modules\/@bench-cli\//.test(name) && !files.some((file) => isCopyOf(file.name, name));
  const measured = [...loaded].filter(isMeasured).sort();
  // A file that only some trees have is a new one, or is installed.
  const isInAll = (name: string) =>
    subjects.every(({ source }) => source && isFile(join(source.directory, name)));
  const differing = measured.filter((name) => !changed.has(name) && isInAll(name) && isOther(name));
  const [differ, lie] = differing.length === 1 ? ['differs', 'lies'] : ['differ', 'lie'];
  /** Says which files differ only in the trees of the subjects, and how to compare them. */
  const copied =
    inTrees || differing.length === 0
      ? undefined
      : `${shortList(differing)} ${differ}, but ${lie} in a directory of benchmarks, of which all subjects execute the copy of the working tree: keep measured code elsewhere, name the files of benchmarks in place of the directory, or add --benchmarks-from subject`;
  return { reasons, unknown, loaded, changed, measured, copied };
}

const unreported = 'does not report which modules it loads';

/** Why it is not known which files a benchmark loads. */
function doubtAbout({ scripts, unplanned }: PlannedBenchmark): string | undefined {
  if (scripts.values().some(({ results }) => results === 'wall time'))
    return 'is a whole command, which can read any file';
  return unplanned === undefined ? undefined : unreported;
}

/** Whether a file is another one in some tree. */
function otherInTrees(subjects: readonly Subject[]): (name: string) => boolean {
  const inTree = ({ source }: Subject, name: string) => {
    const path = join(source?.directory ?? '', name);
    return source !== undefined && !name.startsWith('../') && isFile(path)
      ? readFileSync(path, 'latin1')
      : '';
  };
  /** Benchmarks load mostly the same files. */
  const known = new Map<string, boolean>();
  return (name) => {
    const isFound = known.get(name) ?? new Set(subjects.map((subject) => inTree(subject, name))).size > 1;
    known.set(name, isFound);
    return isFound;
  };
}

function isCopyOf(file: string, name: string): boolean {
  return `/${name}`.endsWith(`/${file}`);
}

/** Whether subjects differ only in the files that they load, also from different directories. */
function allAlike(subjects: readonly Subject[]): boolean {
  const [first, ...others] = subjects.map((subject) => ({ ...subject, cwd: undefined }));
  return first !== undefined && others.every((other) => executeAlike(first, other));
}

/** Says what the subjects load, and what would make it differ. */
function sameCode(
  { subjects }: SessionRequest,
  unaffected: Unaffected,
  { loaded, measured, copied }: Awaited<ReturnType<typeof findCode>>,
): UsageError {
  const packages = new Set(subjects.flatMap(({ packages = [] }) => packages.map(({ name }) => name)));
  const unused = [...packages].filter((name) => !loaded.has(`node_modules/${name}`));
  const remedy =
    unused.length > 0
      ? `none imports ${unused.join(' or ')} by its name, and npm: replaces no relative import: correct the name, or compare git:REF or directories`
      : (copied ??
        `so there is nothing to compare yet: ${measured.length === 0 ? 'import the code that differs' : 'change this code, or name another commit'}`);
  const what = measured.length === 0 ? 'no file but the benchmark' : shortList(measured);
  const count = unaffected.reduce((sum, { configurations }) => sum + configurations.length, 0);
  const problem = `${subjects.map(({ name }) => name).join(' and ')} load the same code in ${counted(count, 'case')}: ${what}; ${remedy}; ${calledCommand(['run'])} measures it without a comparison, --affected accepts that nothing differs (for CI), and --allow-same measures how much equal code differs`;
  return new UsageError('ERR_BENCH_NOT_AFFECTED', problem);
}

interface ListingOptions extends ProcessOptions {
  /** Called before the modules of a file are listed. */
  readonly onFile?: ((name: string) => void) | undefined;
  /** Whether changed benchmarks count of which all subjects execute one copy. Default: false. */
  readonly inTrees?: boolean | undefined;
}

/** Finds the benchmark files that can differ between subjects, and changed files that no benchmark loads. */
export async function affectedFiles(
  request: SessionRequest,
  { signal, env, onFile, inTrees = false }: ListingOptions = {},
) {
  const { subjects, files } = request;
  if (!allAlike(subjects)) {
    const reason = 'the subjects differ in more than their files';
    const reasons = new Map(files.map(({ name }) => [name, reason]));
    return { reasons, unaffected: [], unloaded: [], bundled: [], copied: undefined, fails: false };
  }
  /** Why each file can be affected, by its name. */
  const reasons = new Map<string, string>();
  let loaded: ReadonlySet<string> = new Set();
  let changed: ReadonlySet<string> = loaded;
  let copied: string | undefined;
  /** Whether a benchmark cannot be planned, also under the code of the working tree if trees are compared. */
  let fails = false;
  const list = async (open: OpenSession) => {
    const { planned, failures } = await planBenchmarks(open);
    fails = failures.some(({ only }) => !inTrees || only === undefined);
    await loadedCode(open);
    const code = await findCode(planned, open, inTrees);
    ({ loaded, changed, copied } = code);
    for (const [file, reason] of code.reasons) reasons.set(file, reason);
    for (const { file, failure } of failures) reasons.set(file, `could not be planned: ${failure.message}`);
  };
  for await (const event of openSession(newSession(request, env), list, { signal, env }))
    if (event.type === 'planning') onFile?.(event.benchmark);
  /** The files that load the same code under all subjects. */
  const unaffected = files.map(({ name }) => name).filter((name) => !reasons.has(name));
  const { changedPaths, unloadedPaths } = await import('@bench-cli/subjects/code');
  const paths = unaffected.length === 0 ? [] : await changedPaths(subjects, signal);
  const directory = subjects.findLast(({ source }) => source)?.source?.directory ?? '';
  const unloaded = await unloadedPaths(paths, loaded, { changed, directory }, signal);
  return { reasons, unaffected, ...unloaded, copied, fails };
}
