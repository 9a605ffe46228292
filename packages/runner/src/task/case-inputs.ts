import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type Case, type Configuration, caseKey, shortList } from '@bench-cli/results';
import type { BenchmarkFile, SessionRequest, Subject } from '@bench-cli/results/recording';
import { sideOf } from '../execution/executor.ts';
import type { OpenSession } from '../execution/open-session.ts';
import { whilePrepared } from '../execution/preparation.ts';
import type { Content, Contents } from '../plan/imported-code.ts';
import { type PlannedBenchmark, shortest } from '../plan/plan.ts';
import { scheduleRound } from '../plan/schedule.ts';
import { inputsProbe, takesProbes } from '../suite/script.ts';
import { isFile } from '../suite/script-files.ts';

/** What makes a case differ between subjects, as the rest of a sentence. */
export interface Reason {
  readonly text: string;
  /** Whether it loads the same as far as is known. */
  readonly isUnknown: boolean;
  /** What it loads under each subject, where that differs. */
  readonly contents?: Contents;
}

/** What the cases of a comparison load. */
export interface CaseInputs {
  /** Why a case can differ between the subjects. Undefined: it loads the same under all of them. */
  readonly reasonOf: (each: Case) => Reason | undefined;
  /** The names of all files that cases load, and whether some case loads another one under another subject. */
  readonly loaded: ReadonlyMap<string, boolean>;
}

/**
 * Finds out what each case loads and reads under each subject. Cases of a file whose modules differ are known from its planning. The others are
 * executed once under each subject, as short as possible, because a benchmark can load modules and read files when it runs.
 * @param compare names a file that is not the same in contents
 */
export async function caseInputs(
  planned: readonly PlannedBenchmark[],
  open: OpenSession,
  compare: (contents: Contents) => string | undefined = differingFile,
): Promise<CaseInputs> {
  const reasons = new Map<string, Reason | undefined>();
  const loaded = new Map<string, boolean>();
  const reasonIn = (contents: Contents): Reason | undefined => {
    for (const name of namesIn(contents))
      loaded.set(name, loaded.get(name) === true || differs(name, contents));
    const file = compare(contents);
    return file === undefined
      ? undefined
      : { text: `loads ${file}, which differs`, isUnknown: false, contents };
  };
  for (const [index, benchmark] of planned.entries()) {
    const { name, id, configurations } = benchmark;
    const ofFile = benchmark.isNew
      ? { text: 'is new', isUnknown: false }
      : (reasonIn(open.importedFiles.planOf(id.file)) ?? silence(benchmark, open));
    for (const configuration of configurations)
      reasons.set(caseKey({ benchmark: name, configuration }), ofFile);
    if (ofFile !== undefined) continue;
    await open.emit({ type: 'planning', benchmark: name, index, count: planned.length });
    for (const [configuration, reason] of await observe(benchmark, open, reasonIn))
      reasons.set(caseKey({ benchmark: name, configuration }), reason);
  }
  return { reasonOf: (each) => reasons.get(caseKey(each)), loaded };
}

/** Why a benchmark does not tell what it loads. */
function silence(
  { scripts, unplanned }: PlannedBenchmark,
  { request: { subjects } }: OpenSession,
): Reason | undefined {
  const unknown = (text: string) => ({ text, isUnknown: true });
  for (const subject of subjects) {
    const script = scripts.get(subject.name);
    if (script?.results === 'wall time') return unknown('is a whole command, which can read any file');
    if (unplanned !== undefined || !takesProbes(subject, script?.flags))
      return unknown('does not tell which modules it loads');
  }
  return undefined;
}

/** Executes each configuration as short as possible; those that are then equal, once. */
async function observe(
  benchmark: PlannedBenchmark,
  open: OpenSession,
  reasonIn: (contents: Contents) => Reason | undefined,
): Promise<ReadonlyMap<Configuration, Reason | undefined>> {
  const { importedFiles, signal } = open;
  const settings = { ...open.request.settings, test: true, shortest: true };
  const request = { ...open.request, settings };
  const { name, configurations, scripts } = benchmark;
  const [script] = scripts.values();
  const executed = (each: Configuration) => (script ? shortest(each, script, settings) : each);
  const byRun = Map.groupBy(configurations, (each) =>
    caseKey({ benchmark: name, configuration: executed(each) }),
  );
  const reasons = new Map<Configuration, Reason | undefined>();
  const failed = { text: 'fails when it runs as short as possible', isUnknown: true };
  // What fails here fails in the session too, which tells it.
  const silent = { ...open, request, emit: async () => {} };
  await whilePrepared([benchmark], silent, async ([preparation]) => {
    for (const group of byRun.values()) {
      const [first = {}] = group;
      const configuration = executed(first);
      const contents = new Map<string, Content>();
      let unknown: Reason | undefined;
      const round = scheduleRound({ benchmark: name, configuration }, [...scripts.keys()], 0, request.seed);
      for (const run of round) {
        const { subject } = sideOf(benchmark, request.subjects, run.subject);
        const records = await preparation?.executor.execute(run, signal, inputsProbe(subject));
        if (records?.every(({ status }) => status === 'ok') !== true) unknown = failed;
        const { content, unseen } = importedFiles.observed(run.subject);
        contents.set(run.subject, content);
        const [text] = unseen;
        if (text !== undefined) unknown ??= { text: `${text}, whose files are unknown`, isUnknown: true };
      }
      const reason = unknown === failed ? failed : (reasonIn(contents) ?? unknown);
      for (const each of group) reasons.set(each, reason);
    }
  });
  return reasons;
}

/** Names a file that is not the same under all subjects. */
export function differingFile(contents: Contents): string | undefined {
  return namesIn(contents).find((name) => differs(name, contents));
}

function namesIn(contents: Contents): readonly string[] {
  return [...new Set(contents.values().flatMap((content) => content.keys()))];
}

function differs(name: string, contents: Contents): boolean {
  return new Set(contents.values().map((content) => content.get(name))).size > 1;
}

/**
 * Names a file that is not the same under all subjects, or in their trees: all subjects execute the same copies of benchmarks, of which their
 * trees can have others.
 */
export function differingInTrees(subjects: readonly Subject[]): (contents: Contents) => string | undefined {
  const isOther = otherInTrees(subjects);
  return (contents) => differingFile(contents) ?? namesIn(contents).find(isOther);
}

/** Whether a file is another one in some tree. */
function otherInTrees(subjects: readonly Subject[]): (name: string) => boolean {
  const inTree = ({ source }: Subject, name: string) => {
    const path = join(source?.directory ?? '', name);
    return source !== undefined && !name.startsWith('../') && isFile(path)
      ? readFileSync(path, 'latin1')
      : '';
  };
  /** Cases load mostly the same files. */
  const known = new Map<string, boolean>();
  return (name) => {
    const isFound = known.get(name) ?? new Set(subjects.map((subject) => inTree(subject, name))).size > 1;
    known.set(name, isFound);
    return isFound;
  };
}

/** Says which files that load the same differ in the trees of the subjects, and how to compare them. */
export function copiedCode(
  { subjects, files }: Pick<SessionRequest, 'subjects' | 'files'>,
  loaded: CaseInputs['loaded'],
): string | undefined {
  const alike = measuredFiles(loaded.keys(), files).filter((name) => loaded.get(name) === false);
  // A file that only some trees have is a new one, or is installed.
  const isInAll = (name: string) =>
    subjects.every(({ source }) => source !== undefined && isFile(join(source.directory, name)));
  const copied = alike.filter(isInAll).filter(otherInTrees(subjects));
  const [differ, lie] = copied.length === 1 ? ['differs', 'lies'] : ['differ', 'lie'];
  return copied.length === 0
    ? undefined
    : `${shortList(copied)} ${differ}, but ${lie} in a directory of benchmarks, of which all subjects execute the copy of the working tree: keep measured code elsewhere, name the files of benchmarks in place of the directory, or add --benchmarks-from subject`;
}

/** The loaded files that are neither benchmarks nor of this program or the system, sorted. */
export function measuredFiles(loaded: Iterable<string>, files: readonly BenchmarkFile[]): readonly string[] {
  return [...loaded]
    .filter(
      (path) =>
        !isAbsolute(path) &&
        !path.startsWith('node_modules/@bench-cli/') &&
        !files.some(({ name }) => `/${path}`.endsWith(`/${name}`)),
    )
    .sort();
}
