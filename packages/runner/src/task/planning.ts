import { UsageError } from '@bench-cli/results';
import type { BenchmarkFile } from '@bench-cli/results/recording';
import type { OpenSession } from '../execution/open-session.ts';
import { type PlannedBenchmark, planFile } from '../plan/plan.ts';
import { isSelected } from '../suite/discover.ts';

/**
 * Plans the benchmarks of files, by default those that a session selects.
 * @returns also the names of all benchmarks of the files, wanted or not, and whether one could not be planned
 * @throws UsageError if two files have a benchmark of one name
 */
export async function planBenchmarks(
  { request: { files: all, subjects, settings }, supervisor, emit, signal }: OpenSession,
  files: readonly BenchmarkFile[] = all,
  isWanted = (name: string) => isSelected(name, settings),
) {
  const planned: PlannedBenchmark[] = [];
  const names: string[] = [];
  let hasFailed = false;
  for (const [index, file] of files.entries()) {
    await emit({ type: 'planning', benchmark: file.name, index, count: files.length });
    for (const result of await planFile(file, subjects, settings, supervisor, signal)) {
      if (names.includes(result.name)) {
        throw new UsageError(
          'ERR_BENCH_SELECTION',
          `${file.name} has the name of another selected benchmark, ${result.name}: select one of the two files`,
        );
      }
      names.push(result.name);
      if (!isWanted(result.name)) continue;
      if ('failure' in result) {
        hasFailed = true;
        const { name: benchmark, subject, failure } = result;
        const record = { type: 'failure', benchmark, phase: 'plan', subject, failure } as const;
        await emit({ type: 'failure', record });
        continue;
      }
      planned.push(result);
      for (const message of warningsOf(result)) await emit({ type: 'warning', message });
    }
  }
  return { planned, names, hasFailed };
}

function warningsOf({ name, unplanned, warnings }: PlannedBenchmark): readonly string[] {
  const unknown = `its configurations are unknown, because ${unplanned}; each run executes all of them in one process`;
  return (unplanned === undefined ? warnings : [unknown]).map((warning) => `${name}: ${warning}`);
}
