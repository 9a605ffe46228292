import { type Configuration, calledCommand, ownValue, suggestion, UsageError } from '@bench-cli/results';
import type { SessionSettings } from '@bench-cli/results/recording';
import { quote } from 'shlex';
import type { PlannedBenchmark } from './plan.ts';

/** Parameters that scripts accept without declaring them. */
const undeclared = ['benchmarker'];

/**
 * Checks what `--set` sets, before anything is measured: a value that a benchmark does not expect measures
 * another branch of its code than its name says. Numbers are sizes and counts, and free.
 * @throws UsageError for a parameter that no benchmark has, and for a text that a benchmark with the
 * parameter does not list
 */
export function checkParameters(
  { set, allowNewValues }: SessionSettings,
  planned: readonly PlannedBenchmark[],
): void {
  const pairs = set.flatMap((pair) => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    return undeclared.includes(name) ? [] : { pair, name, value };
  });
  const known = [...new Set(planned.flatMap((benchmark) => benchmark.parameters))].sort();
  // The parameters of a script that cannot be planned are unknown.
  const areKnown = planned.length > 0 && planned.every(({ unplanned }) => unplanned === undefined);
  const unknown = pairs.find(({ name }) => areKnown && !known.includes(name));
  if (unknown !== undefined) {
    const problem = `--set ${unknown.pair}: unknown parameter "${unknown.name}"; the selected benchmarks have ${known.join(', ') || 'no parameters'}${suggestion(unknown.name, known)}`;
    throw new UsageError('ERR_BENCH_UNKNOWN_PARAMETER', problem, { option: 'set' });
  }
  if (allowNewValues) return;
  for (const { pair, name, value } of pairs) {
    const misfits = planned.flatMap(({ name: benchmark, values }) => {
      const listed = ownValue(values, name);
      return listed === undefined || listed.includes(value) ? [] : [{ benchmark, listed }];
    });
    if (misfits.length === 0) continue;
    const texts = misfits.map(
      ({ benchmark, listed }) =>
        `${benchmark} has the values ${[...new Set(listed)].map((each) => each || '""').join(', ')} for ${name}${suggestion(value, listed)}`,
    );
    const leaving = misfits.map(({ benchmark }) => `--exclude ${quote(benchmark)}`).join(' ');
    const problem = `--set ${pair}: ${texts.join('; ')}; add --allow-new-values to measure "${value}" nevertheless${planned.length > misfits.length ? `, or ${leaving}` : ''}`;
    throw new UsageError('ERR_BENCH_NEW_VALUE', problem, { option: 'set' });
  }
}

/** @throws UsageError for a parameter with the name of a column of the CSV of scatter */
export function checkColumns(planned: readonly PlannedBenchmark[]): void {
  for (const { name, parameters } of planned) {
    const taken = parameters.find((each) => each === 'filename' || each === 'rate' || each === 'time');
    if (taken === undefined) continue;
    const problem = `${name} has a parameter ${taken}, which is also a column of the CSV of scatter: rename the parameter`;
    throw new UsageError('ERR_BENCH_PARAMETER', problem);
  }
}

/** @throws UsageError that says what to set, if there is more than one case to measure */
export function checkSingleCase(planned: readonly PlannedBenchmark[]): void {
  const [benchmark, another] = planned;
  if (benchmark === undefined) return;
  const { name, configurations, unplanned } = benchmark;
  let problem: string | undefined;
  if (another !== undefined)
    problem = `${planned.length} benchmarks are selected: give one file, or choose one with --filter: ${planned.map((each) => each.name).join(', ')}`;
  else if (unplanned !== undefined) problem = `the cases of ${name} are unknown, because ${unplanned}`;
  else if (configurations.length > 1)
    problem = `${name} has ${configurations.length} cases: choose one with ${choices(configurations)}; ${calledCommand(['compare'])} shows which of them differ most`;
  if (problem !== undefined)
    throw new UsageError('ERR_BENCH_SELECTION', `bisect measures one case of one benchmark, but ${problem}`);
}

/** The options that choose a configuration: `--set len=16|1024 --set encoding=ascii|utf8`. */
function choices(configurations: readonly Configuration[]): string {
  const given = configurations.flatMap((configuration) => Object.entries(configuration));
  return Array.from(Map.groupBy(given, ([name]) => name))
    .map(([name, all]) => [name, new Set(all.map(([, value]) => String(value)))] as const)
    .filter(([, { size }]) => size > 1)
    .map(([name, several]) => `--set ${name}=${[...several].join('|')}`)
    .join(' ');
}
