import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Case, type Configuration, caseKey } from '@bench-cli/results';
import type { Subject } from '@bench-cli/results/recording';
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
  /** The names of all files that cases load. */
  readonly loaded: ReadonlySet<string>;
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
  const loaded = new Set<string>();
  const reasonIn = (contents: Contents): Reason | undefined => {
    for (const content of contents.values()) for (const name of content.keys()) loaded.add(name);
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
        const observation = { kind: 'metrics', probe: inputsProbe(subject) } as const;
        const records = await preparation?.executor.execute(run, signal, observation);
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
  const all = [...contents.values()];
  const names = new Set(all.flatMap((content) => [...content.keys()]));
  return names.values().find((name) => new Set(all.map((content) => content.get(name))).size > 1);
}

/**
 * Names a file that is not the same under all subjects, or in their trees: all subjects execute the same copies of benchmarks, of which their
 * trees can have others.
 */
export function differingInTrees(subjects: readonly Subject[]): (contents: Contents) => string | undefined {
  const inTree = ({ source }: Subject, name: string) => {
    const path = join(source?.directory ?? '', name);
    return source !== undefined && !name.startsWith('../') && isFile(path)
      ? readFileSync(path, 'latin1')
      : '';
  };
  /** Whether each file is another one in some tree. Cases load mostly the same files. */
  const known = new Map<string, boolean>();
  const isOther = (name: string) => {
    const isFound = known.get(name) ?? new Set(subjects.map((subject) => inTree(subject, name))).size > 1;
    known.set(name, isFound);
    return isFound;
  };
  return (contents) => {
    const names = new Set(contents.values().flatMap((content) => content.keys()));
    return differingFile(contents) ?? names.values().find(isOther);
  };
}
