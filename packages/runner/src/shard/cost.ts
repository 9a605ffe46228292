import { executedAs, type RunRecord, readSessions, type Cost } from '@bench-cli/results/recording';
import { UsageError, caseKey } from '@bench-cli/results';
import type { Configuration } from '@bench-cli/results';
import { type ScheduledRun } from '../plan/schedule.ts';

/**
 * How long each configuration of a former recording took, finished or not, merged or not.
 * @throws UsageError when it cannot be read, or holds no run
 */
export function readCosts(path: string): Cost[] {
  const costs = new Map<string, Cost>();
  for (const { recording } of readSessions(path)) {
    const executed = executedAs(recording.calibrations);
    const declared = new Map(
      recording.calibrations.map((each) => [
        caseKey({ ...each, configuration: executed(each) }),
        each.configuration,
      ]),
    );
    for (const run of recording.runs) addRun(costs, run, declared);
  }
  if (costs.size === 0) throw new UsageError('ERR_BENCH_COSTS', `--costs ${path}: it holds no run, so it tells no cost`);
  return Array.from(costs.values(), (cost) => ({ ...cost, durationMs: Math.round(cost.durationMs) }));
}

/** @param declared the configuration as the benchmark declares it, by that with the count that was found for it */
function addRun(
  costs: Map<string, Cost>,
  run: RunRecord,
  declared: ReadonlyMap<string, Configuration>,
): void {
  const { benchmark, scheduled = run.configuration } = run;
  const configuration = declared.get(caseKey({ benchmark, configuration: scheduled })) ?? scheduled;
  const key = caseKey({ benchmark, configuration });
  const durationMs = (costs.get(key)?.durationMs ?? 0) + run.durationMs;
  costs.set(key, { benchmark, configuration, durationMs });
}

/**
 * What each configuration will take, in a unit that is the same for all. One that `costs` does not know is taken for the
 * mean of those of its benchmark, or of all.
 */
export function estimateCosts(
  configurations: readonly Pick<ScheduledRun, 'benchmark' | 'configuration'>[],
  costs: readonly Cost[],
): number[] {
  const known = new Map(costs.map((cost) => [caseKey(cost), cost.durationMs]));
  const byBenchmark = Map.groupBy(costs, ({ benchmark }) => benchmark);
  const means = new Map(Array.from(byBenchmark, ([benchmark, its]) => [benchmark, meanOf(its)]));
  const mean = costs.length === 0 ? 1 : meanOf(costs);
  return configurations.map((each) => known.get(caseKey(each)) ?? means.get(each.benchmark) ?? mean);
}

function meanOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, { durationMs }) => sum + durationMs, 0) / costs.length;
}
