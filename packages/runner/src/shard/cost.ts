import { type Case, caseKey, UsageError } from '@bench-cli/results';
import { type Cost, readRecordings, scheduledConfiguration } from '@bench-cli/results/recording';

/**
 * How long each configuration of an earlier recording took. The file may hold an unfinished session, or several of one command.
 * @throws UsageError if it cannot be read, or contains no run
 */
export function readCosts(path: string): Cost[] {
  const costs = new Map<string, Cost>();
  for (const recording of readRecordings([path], { allowMissing: true })) {
    for (const run of recording.runs) {
      const scheduled = { benchmark: run.benchmark, configuration: scheduledConfiguration(run) };
      const key = caseKey(scheduled);
      const durationMs = (costs.get(key)?.durationMs ?? 0) + run.durationMs;
      costs.set(key, { ...scheduled, durationMs });
    }
  }
  if (costs.size === 0) {
    throw new UsageError(
      'ERR_BENCH_COSTS',
      `--costs ${path} contains no run: give a recording in which at least one run has ended`,
    );
  }
  return Array.from(costs.values(), (cost) => ({ ...cost, durationMs: Math.round(cost.durationMs) }));
}

/**
 * Estimates the cost of each case, in a common unit. A case without a known cost gets the mean of its benchmark, or of
 * all.
 */
export function estimateCosts(cases: readonly Case[], costs: readonly Cost[]): number[] {
  const known = new Map(costs.map((cost) => [caseKey(cost), cost.durationMs]));
  const byBenchmark = Map.groupBy(costs, ({ benchmark }) => benchmark);
  const means = new Map(Array.from(byBenchmark, ([benchmark, group]) => [benchmark, meanOf(group)]));
  const mean = costs.length === 0 ? 1 : meanOf(costs);
  return cases.map((each) => known.get(caseKey(each)) ?? means.get(each.benchmark) ?? mean);
}

function meanOf(costs: readonly Cost[]): number {
  return costs.reduce((sum, { durationMs }) => sum + durationMs, 0) / costs.length;
}
