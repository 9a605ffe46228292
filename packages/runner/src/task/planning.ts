import { realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { adaptiveRuns, counted, UsageError } from '@bench-cli/results';
import type { BenchmarkFile, LoadedCode, Subject, UnmatchedCases } from '@bench-cli/results/recording';
import { propertyIn } from '@bench-cli/system';
import type { OpenSession } from '../execution/open-session.ts';
import { type PlanFailure, type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { failureOf } from '../process/supervisor.ts';
import { isSelected, list } from '../suite/discover.ts';
import { manifestOf } from '../suite/imported-modules.ts';

/**
 * @param isWanted by default all selected benchmarks, and what concerns a whole file: its name need not match
 * @returns also the names of all benchmarks of the files
 * @throws UsageError if two have one name
 */
export async function planBenchmarks(
  { request, supervisor, emit, signal, sessionFiles, onlyPlan }: OpenSession,
  files: readonly BenchmarkFile[] = request.files,
  isWanted = (name: string, file: string) => name === file || isSelected(name, request.settings),
) {
  const { command, subjects, settings, runs } = request;
  const isRanking = command === 'run' || adaptiveRuns(runs)?.allPairs;
  const planned: PlannedBenchmark[] = [];
  const names: string[] = [];
  const failures: (PlanFailure & { readonly file: string })[] = [];
  for (const [reason, skipped] of Map.groupBy(files, ({ foreign }) => foreign)) {
    const names = list(skipped.map(({ name }) => name));
    const message = `not executed: ${counted(skipped.length, 'file')} (${names}), because each ${reason}: name a file to execute it`;
    if (reason !== undefined) await emit({ type: 'warning', message });
  }
  const executed = files.filter(({ foreign }) => foreign === undefined);
  for (const [index, file] of executed.entries()) {
    await emit({ type: 'planning', benchmark: file.name, index, count: executed.length });
    const answers = await planFile(file, subjects, { settings, supervisor, signal, onlyPlan }, isRanking);
    sessionFiles.take(file);
    const [replacing] = subjects.filter(({ packages }) => packages !== undefined);
    const kept =
      replacing && (await notReplaced(file, replacing, sessionFiles.pathsOf(file.name, replacing.name)));
    if (kept?.installed !== undefined)
      await emit({ type: 'warning', message: `${file.name}: ${kept.installed}` });
    const refused = settings.allowSame ? undefined : kept?.ofProject;
    const results = answers.map((answer) =>
      'failure' in answer || replacing === undefined || refused === undefined
        ? answer
        : { name: answer.name, subject: replacing.name, failure: failureOf('not started', refused) },
    );
    const repeated = results.find(({ name }) => names.includes(name));
    if (repeated !== undefined) {
      const problem = `${file.name} has the name of another selected benchmark, ${repeated.name}: select one of the two files`;
      throw new UsageError('ERR_BENCH_SELECTION', problem);
    }
    names.push(...new Set(results.map(({ name }) => name)));
    for (const result of results) {
      if (!isWanted(result.name, file.name)) continue;
      if ('failure' in result) {
        failures.push({ ...result, file: file.name });
        const { name: benchmark, ...rest } = result;
        await emit({ type: 'failure', record: { type: 'failure', benchmark, phase: 'plan', ...rest } });
        continue;
      }
      planned.push(result);
      for (const message of warningsOf(result)) await emit({ type: 'warning', message });
    }
  }
  return { planned, names, failures };
}

/**
 * Finds code of a package that no subject replaces: `npm:` replaces only imports by the name of the package,
 * and only those of the project's files.
 * @param paths what one subject loads for the file
 * @returns rests of sentences. `ofProject`: why the benchmark measures the same code under all subjects;
 * `installed`: another installed copy of the package
 */
async function notReplaced(
  { path: file }: BenchmarkFile,
  { packages = [] }: Subject,
  paths: readonly string[] = [],
) {
  const found: { ofProject?: string; installed?: string } = {};
  const { isSource } = await import('@bench-cli/subjects/code');
  for (const { name, directory } of packages) {
    const own = realpathSync(directory);
    for (const path of paths) {
      if (path.split(sep).includes('node_modules')) {
        if (path.includes(`${sep}node_modules${sep}${name}${sep}`) && !path.startsWith(own))
          found.installed ??= `also loads ${path}, which npm:${name} does not replace`;
        continue;
      }
      const manifest = dirname(path) === dirname(file) ? undefined : manifestOf(path);
      if (manifest === undefined || propertyIn(manifest, 'name') !== name) continue;
      const inside = relative(dirname(manifest), path);
      if (isSource(inside))
        found.ofProject ??= `loads ${inside} of the project, which is the same under all subjects: npm:${name} replaces only imports by the name "${name}": import it by this name, or compare git:REF; --allow-same measures it as it is`;
    }
  }
  return found;
}

/** The cases of files that only the baseline has. Those of files that cannot be planned are not known. */
export async function planRemoved(open: OpenSession): Promise<readonly UnmatchedCases[]> {
  const { request, supervisor, signal } = open;
  const { removed = [], subjects, settings } = request;
  const [baseline] = subjects;
  if (baseline === undefined) return [];
  const onlyUnder = [baseline.name];
  const cases: UnmatchedCases[] = [];
  for (const file of removed)
    for (const result of await planFile(file, [baseline], { settings, supervisor, signal })) {
      const configurations = 'failure' in result ? [] : result.configurations;
      cases.push({ name: result.name, configurations, onlyUnder });
    }
  return cases;
}

/**
 * The files that the subjects have loaded while planning, with the times of their builds. Warns of builds
 * that may not be of their sources.
 * @throws UsageError if a subject loads the build of another subject although their sources differ, unless
 * equal code may be compared
 */
export async function loadedCode(open: OpenSession): Promise<Record<string, LoadedCode>> {
  const { request, session, sessionFiles, signal, emit } = open;
  const loaded = sessionFiles.planned();
  for (const subject of session.request.subjects) {
    if (subject.source === undefined) continue;
    const { loadedBuilds } = await import('@bench-cli/subjects/code');
    const builds = await loadedBuilds(subject, loaded, session.request, signal);
    const builtAt = builds
      .map((build) => build.builtAt)
      .sort()
      .at(-1);
    if (builtAt !== undefined) loaded[subject.name] = { files: {}, ...loaded[subject.name], builtAt };
    for (const { path, doubt, stale } of builds) {
      if (stale !== undefined && !request.settings.allowSame) {
        const problem = `${stale}, so ${subject.name} would load the build of other sources (${path}): build it, or let --prepare build a copy: git:. in place of .; --allow-same measures it as it is`;
        throw new UsageError('ERR_BENCH_STALE_BUILD', problem);
      }
      if (doubt === undefined) continue;
      const message = `${subject.name} loads ${path}, which git ignores and which may not be a build of its sources: ${doubt}; build it again, or let --prepare build a copy: git:. in place of .`;
      await emit({ type: 'warning', message });
    }
  }
  return loaded;
}

function warningsOf({ name, unplanned, warnings }: PlannedBenchmark): readonly string[] {
  const unknown = `its cases are unknown, because ${unplanned}; each run executes all of them in one process`;
  return (unplanned === undefined ? warnings : [unknown]).map((warning) => `${name}: ${warning}`);
}
