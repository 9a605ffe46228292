import { isDeepStrictEqual } from 'node:util';
import { caseKey, caseName } from '../case.ts';
import type { Configuration } from '../configuration.ts';
import type { PlannedCases } from '../recording/line.ts';
import type { Recording } from '../recording/read.ts';
import { type Condition, meetsAll } from '../select.ts';

/** A benchmark that some subjects of a comparison lack, or some configurations of it. */
export interface UnmatchedBenchmark {
  readonly benchmark: string;
  /** The configurations that some subjects lack; empty if unknown. */
  readonly configurations: readonly Configuration[];
  /** The subjects that have the benchmark or the configurations. */
  readonly subjects: readonly string[];
}

/** A removed and a new benchmark with the same configurations, which are probably the same benchmark. */
export interface RenamedBenchmark {
  readonly from: string;
  readonly to: string;
  readonly configurations: readonly Configuration[];
}

export interface Unmatched {
  /** New benchmarks that are not measured. Whole new files are measured. */
  readonly added: readonly UnmatchedBenchmark[];
  /** Benchmarks that some subjects after the baseline lack. */
  readonly removed: readonly UnmatchedBenchmark[];
  readonly renamed: readonly RenamedBenchmark[];
}

/** The benchmarks of a session that some subjects lack, so that they are not compared. */
export function unmatchedBenchmarks({ session, plan }: Pick<Recording, 'session' | 'plan'>): Unmatched {
  const { subjects, added: addedFiles = [] } = session.request;
  const baseline = subjects[0]?.name ?? '';
  const all = (plan?.unmatched ?? []).map(unmatchedBenchmark);
  const isOld = (each: UnmatchedBenchmark) => each.subjects.includes(baseline);
  const [removed, added] = [all.filter(isOld), all.filter((each) => !isOld(each))];
  /** Not all subjects have them, although all can execute the same copy. */
  const measured = (plan?.benchmarks ?? [])
    .filter(({ name, onlyUnder }) => onlyUnder || addedFiles.some((file) => name.startsWith(file)))
    .map(unmatchedBenchmark);
  const compared = new Set(
    plan?.benchmarks.flatMap(({ name, configurations, onlyUnder }) =>
      onlyUnder === undefined && configurations.length > 0 ? [name] : [],
    ),
  );
  const isWhole = ({ benchmark }: UnmatchedBenchmark) => !compared.has(benchmark);
  const renamed = renamedAmong(removed.filter(isWhole), [...measured, ...added.filter(isWhole)]);
  const from = new Set(renamed.map((each) => each.from));
  return { added, removed: removed.filter(({ benchmark }) => !from.has(benchmark)), renamed };
}

function unmatchedBenchmark({ name: benchmark, configurations, onlyUnder: subjects = [] }: PlannedCases) {
  return { benchmark, configurations, subjects };
}

/** Pairs of benchmarks whose common configurations no other benchmark has. */
function renamedAmong(removed: readonly UnmatchedBenchmark[], added: readonly UnmatchedBenchmark[]) {
  const keysOf = ({ configurations }: UnmatchedBenchmark) =>
    configurations.map((configuration) => caseKey({ benchmark: '', configuration })).sort();
  const alike = (one: UnmatchedBenchmark, others: readonly UnmatchedBenchmark[]) =>
    one.configurations.length === 0
      ? []
      : others.filter((other) => isDeepStrictEqual(keysOf(one), keysOf(other)));
  return removed.flatMap((old): RenamedBenchmark[] => {
    const [only, another] = alike(old, added);
    if (only === undefined || another !== undefined || alike(only, removed).length > 1) return [];
    return [{ from: old.benchmark, to: only.benchmark, configurations: old.configurations }];
  });
}

/** Benchmarks with a configuration that meets all conditions; renamed benchmarks match by either name. */
export function unmatchedWhere(
  { added, removed, renamed }: Unmatched,
  conditions: readonly Condition[],
): Unmatched {
  const isRenamedWithin = ({ from, to, configurations }: RenamedBenchmark) =>
    [from, to].some((benchmark) => benchmarksWhere([{ benchmark, configurations }], conditions).length > 0);
  return {
    added: benchmarksWhere(added, conditions),
    removed: benchmarksWhere(removed, conditions),
    renamed: renamed.filter(isRenamedWithin),
  };
}

/** Reduces benchmarks to configurations that meet all conditions. Unknown ones have no parameters. */
function benchmarksWhere<Item extends Pick<UnmatchedBenchmark, 'benchmark' | 'configurations'>>(
  all: readonly Item[],
  conditions: readonly Condition[],
): readonly Item[] {
  return all.flatMap((each) => {
    const isMet = (configuration: Configuration) => meetsAll({ ...each, configuration }, conditions);
    const configurations = each.configurations.filter(isMet);
    const isKept = configurations.length > 0 || (each.configurations.length === 0 && isMet({}));
    return isKept ? [{ ...each, configurations }] : [];
  });
}

/** The names of the cases that some subjects lack; the name of the benchmark if they are unknown. */
export function unmatchedNames({ benchmark, configurations }: UnmatchedBenchmark): readonly string[] {
  if (configurations.length === 0) return [caseName({ benchmark, text: '' })];
  return configurations.map((configuration) => caseName({ benchmark, configuration }));
}
