import { counted, UsageError } from '@bench-cli/results';
import type { BenchmarkFile, UnmatchedCases } from '@bench-cli/results/recording';
import type { OpenSession } from '../execution/open-session.ts';
import { type PlanFailure, type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { failureOf } from '../process/supervisor.ts';
import { isSelected, list } from '../suite/discover.ts';
import { notReplaced } from './replaced-packages.ts';

/** @returns also the names of all benchmarks of the files. @throws UsageError if two have one name */
export async function planBenchmarks(
  { request: { files: all, subjects, settings }, supervisor, emit, signal, sessionFiles }: OpenSession,
  files: readonly BenchmarkFile[] = all,
  isWanted = (name: string) => isSelected(name, settings),
) {
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
    const answers = await planFile(file, subjects, settings, supervisor, signal);
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
    for (const result of results) {
      if (names.includes(result.name)) {
        const problem = `${file.name} has the name of another selected benchmark, ${result.name}: select one of the two files`;
        throw new UsageError('ERR_BENCH_SELECTION', problem);
      }
      names.push(result.name);
      if (!isWanted(result.name)) continue;
      if ('failure' in result) {
        failures.push({ ...result, file: file.name });
        const { name: benchmark, subject, only, failure } = result;
        const record = {
          type: 'failure',
          benchmark,
          phase: 'plan',
          subject,
          ...(only && { only }),
          failure,
        } as const;
        await emit({ type: 'failure', record });
        continue;
      }
      planned.push(result);
      for (const message of warningsOf(result)) await emit({ type: 'warning', message });
    }
  }
  return { planned, names, failures };
}

/** The cases of files that only the baseline has. Those of files that cannot be planned are not known. */
export async function planRemoved({
  request: { removed = [], subjects, settings },
  supervisor,
  signal,
}: OpenSession): Promise<readonly UnmatchedCases[]> {
  const [baseline] = subjects;
  if (baseline === undefined) return [];
  const onlyUnder = [baseline.name];
  const cases: UnmatchedCases[] = [];
  for (const file of removed)
    for (const result of await planFile(file, [baseline], settings, supervisor, signal)) {
      const configurations = 'failure' in result ? [] : result.configurations;
      cases.push({ name: result.name, configurations, onlyUnder });
    }
  return cases;
}

function warningsOf({ name, unplanned, warnings }: PlannedBenchmark): readonly string[] {
  const unknown = `its cases are unknown, because ${unplanned}; each run executes all of them in one process`;
  return (unplanned === undefined ? warnings : [unknown]).map((warning) => `${name}: ${warning}`);
}
