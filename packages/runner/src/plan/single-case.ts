import { type Configuration, UsageError } from '@bench-cli/results';
import type { PlannedBenchmark } from './plan.ts';

/**
 * Checks that there is one case to measure.
 * @throws UsageError that says what to set, if there are several
 */
export function checkSingleCase(planned: readonly PlannedBenchmark[]): void {
  const [benchmark, another] = planned;
  if (benchmark === undefined) return;
  const { name, configurations, unplanned } = benchmark;
  if (another !== undefined) {
    throw severalCases(
      `${planned.length} benchmarks are selected: give one file, or choose one with --filter: ${planned.map((each) => each.name).join(', ')}`,
    );
  }
  if (unplanned !== undefined) {
    throw severalCases(`the configurations of ${name} are unknown, because ${unplanned}`);
  }
  if (configurations.length > 1) {
    throw severalCases(
      `${name} has ${configurations.length} configurations: choose one with ${choices(configurations)}; bench-cli compare shows which of them differ most`,
    );
  }
}

/** The options that choose a configuration: `--set len=16|1024 --set encoding=ascii|utf8`. */
function choices(configurations: readonly Configuration[]): string {
  const values = new Map<string, Set<string>>();
  for (const configuration of configurations) {
    for (const [name, value] of Object.entries(configuration))
      values.set(name, (values.get(name) ?? new Set()).add(String(value)));
  }
  return [...values]
    .filter(([, { size }]) => size > 1)
    .map(([name, several]) => `--set ${name}=${[...several].join('|')}`)
    .join(' ');
}

function severalCases(message: string): UsageError {
  return new UsageError(
    'ERR_BENCH_SELECTION',
    `bisect measures one configuration of one benchmark, but ${message}`,
  );
}
