import { UsageError } from './failure.ts';
import type { RunRecord } from './record.ts';
import { readSessions } from './record-file.ts';
import { configurationKey, type ScheduledRun } from './schedule.ts';
import type { Cost } from './shard.ts';

/**
 * How long each configuration of a former recording took, finished or not, merged or not.
 * @throws UsageError when it cannot be read, or holds no run
 */
export function readCosts(path: string): Cost[] {
  const costs = new Map<string, Cost>();
  for (const { recording } of readSessions(path)) {
    for (const run of recording.runs) addRun(costs, run);
  }
  if (costs.size === 0) throw new UsageError(`--costs ${path}: it holds no run, so it tells no cost`);
  return Array.from(costs.values(), (cost) => ({ ...cost, durationMs: Math.round(cost.durationMs) }));
}

function addRun(costs: Map<string, Cost>, run: RunRecord): void {
  const { benchmark, scheduled: configuration = run.configuration } = run;
  const key = configurationKey({ benchmark, configuration });
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
  const known = new Map(costs.map((cost) => [configurationKey(cost), cost.durationMs]));
  const byBenchmark = Map.groupBy(costs, ({ benchmark }) => benchmark);
  const means = new Map(Array.from(byBenchmark, ([benchmark, its]) => [benchmark, meanOf(its)]));
  const mean = costs.length === 0 ? 1 : meanOf(costs);
  return configurations.map((each) => known.get(configurationKey(each)) ?? means.get(each.benchmark) ?? mean);
}

function meanOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, { durationMs }) => sum + durationMs, 0) / costs.length;
}
