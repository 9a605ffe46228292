import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchmarkFile, PlanRecord, SessionRequest, Subject } from '@bench-cli/results/recording';
import { newSession, type OpenSession, openSession } from '../execution/open-session.ts';
import { type Preparation, whilePrepared } from '../execution/preparation.ts';
import { importedFilesOf } from '../plan/imported-code.ts';
import { schedule } from '../plan/schedule.ts';
import { executeAlike } from '../subject/same-code.ts';
import { importedFilesProbesOf } from '../suite/script.ts';
import { isFile } from '../suite/script-files.ts';
import { planBenchmarks } from '../task/planning.ts';

interface ListingOptions {
  readonly signal?: AbortSignal | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Called before the modules of a file are listed. */
  readonly onFile?: ((name: string) => void) | undefined;
}

/**
 * Finds the benchmark files that load different code under the subjects of a comparison. Each configuration is executed once, as short
 * as possible, under each subject, because a benchmark can load modules when it runs. A file is affected unless all modules that it loads
 * have the same content, here and in the trees of the subjects. So it is if its modules are unknown.
 */
export async function affectedFiles(request: SessionRequest, { signal, env, onFile }: ListingOptions = {}) {
  const { subjects, files } = request;
  const [first, ...others] = subjects;
  if (first === undefined || !others.every((other) => executeAlike(first, other))) {
    const reason = 'the subjects differ in more than their files';
    return { reasons: new Map(files.map(({ name }) => [name, reason])), unaffected: [], unloaded: [] };
  }
  /** Why each file can be affected, by its name. */
  const reasons = new Map<string, string>();
  const loaded = new Set<string>();
  const list = async (open: OpenSession) => {
    for (const file of open.request.files) {
      const code = await importedCode(file, open);
      const reason = typeof code === 'string' ? code : differingFile(code, subjects, loaded);
      if (reason !== undefined) reasons.set(file.name, reason);
    }
  };
  // With more than one run, each configuration tells what it loads.
  const settings = { ...request.settings, test: true, shortest: true };
  const session = newSession({ ...request, runs: 2, settings }, env);
  for await (const event of openSession(session, list, { signal, env }))
    if (event.type === 'planning') onFile?.(event.benchmark);
  /** The files that load the same code under all subjects. */
  const unaffected = files.map(({ name }) => name).filter((name) => !reasons.has(name));
  const { changedPaths } = await import('../subject/git-source.ts');
  const paths = unaffected.length === 0 ? [] : await changedPaths(subjects);
  /** Paths that differ, and that no benchmark loads as a module: a benchmark that reads one in another way is not known. */
  const unloaded = paths.filter((path) => !loaded.has(path));
  return { reasons, unaffected, unloaded };
}

type Code = NonNullable<PlanRecord['code']>;

/** The files that each subject loads for a benchmark file, by its name; or why they are unknown. */
async function importedCode(file: BenchmarkFile, open: OpenSession): Promise<Code | string> {
  const { request, signal, supervisor } = open;
  const listed = importedFilesOf(request, supervisor.env);
  const { planned, hasFailed } = await planBenchmarks(open, [file]);
  if (hasFailed) return 'its modules are unknown, because it could not be planned';
  let unknown: string | undefined;
  for (const benchmark of planned) {
    const { name, scripts } = benchmark;
    const isSilent = request.subjects.some((subject) => {
      const script = scripts.get(subject.name);
      return script?.results === 'wall time' || importedFilesProbesOf(subject, script?.flags).length === 0;
    });
    if (isSilent) unknown = `${name} does not tell which modules it loads`;
    const execute = async (prepared: readonly Preparation[]) => {
      if (prepared.length === 0) unknown = `the setup of ${name} failed`;
      for (const { executor } of prepared) {
        for (const run of schedule(benchmark, [...scripts.keys()], 1, request.seed)) {
          const records = await executor.execute(run, signal);
          if (records.some(({ status }) => status === 'failed')) unknown = `a run of ${name} failed`;
        }
      }
    };
    await whilePrepared([benchmark], open, execute);
    if (unknown !== undefined) return `its modules are unknown, because ${unknown}`;
  }
  const code = listed.planned();
  return Object.fromEntries(
    request.subjects.map(({ name }) => [name, { ...code[name], ...listed.later(name) }]),
  );
}

/**
 * Names a file that is not the same under all subjects. All of them load the same copies of the benchmarks, so these are compared where
 * their trees have them.
 * @param loaded gets the names of all files
 */
function differingFile(code: Code, subjects: readonly Subject[], loaded: Set<string>): string | undefined {
  const names = new Set(Object.values(code).flatMap((files) => Object.keys(files)));
  for (const name of names) loaded.add(name);
  const hasTrees = subjects.every(({ source }) => source !== undefined);
  const contentOf = ({ name: subject, source }: Subject, name: string) => {
    const path = join(source?.directory ?? '', name);
    const isInTree = hasTrees && !name.startsWith('../') && isFile(path);
    return JSON.stringify([code[subject]?.[name], isInTree && readFileSync(path, 'latin1')]);
  };
  const differing = names
    .values()
    .find((name) => new Set(subjects.map((subject) => contentOf(subject, name))).size > 1);
  return differing && `loads ${differing}, which differs`;
}
