import {
  type CompareOptions,
  type Comparison,
  type ComparisonWarning,
  compareSamples,
} from './comparison.ts';
import type { MachineSamples } from './machine.ts';
import { compareWithinMachines } from './machine-comparison.ts';
import { nameOrder } from '@bench-cli/results';

/** The rates (operations per second) of one configuration of one benchmark under both subjects. */
export interface SamplePair {
  /** Name of the benchmark, which is its path in the suite. */
  readonly benchmark: string;
  /** As it is printed, such as `n=1000 type='fast'`. */
  readonly configuration: string;
  readonly old: ArrayLike<number>;
  readonly new: ArrayLike<number>;
  /** The same rates by machine, where several have measured them; default: one machine. */
  readonly machines?: readonly MachineSamples[];
}

/** A comparison, with what was compared. */
export interface NamedComparison extends Comparison {
  readonly benchmark: string;
  readonly configuration: string;
}

/** How many of the comparisons are expected to look different by chance, at each level of risk. */
export interface FalsePositives {
  readonly p05: number;
  readonly p01: number;
  readonly p001: number;
}

/** One kind of warning and the configurations that it is about. */
export interface WarningGroup {
  readonly kind: ComparisonWarning['kind'];
  /** Names, `benchmark configuration`, in the order of the comparisons. */
  readonly names: readonly string[];
  readonly message: string;
}

/** All comparisons of a session: plain data, in which nothing is NaN, so that it can be written as JSON as it is. */
export interface ComparisonList {
  /** Ordered by `benchmark configuration` in the root collation of Unicode, as compare.R does. */
  readonly comparisons: readonly NamedComparison[];
  readonly falsePositives: FalsePositives;
  /** The warnings of all comparisons, those of one kind and message together. */
  readonly warnings: readonly WarningGroup[];
}

/**
 * Compares the two samples of every configuration.
 *
 * @throws StatsInputError as `compareSamples` does.
 */
export function compareAll(pairs: Iterable<SamplePair>, options?: CompareOptions): ComparisonList {
  const order = nameOrder();
  const comparisons = Array.from(pairs, (pair) => ({
    benchmark: pair.benchmark,
    configuration: pair.configuration,
    ...comparePair(pair, options),
  })).sort((a, b) => order(comparisonName(a), comparisonName(b)));
  return {
    comparisons,
    falsePositives: falsePositivesOf(comparisons.length),
    warnings: warningGroups(comparisons),
  };
}

/** Compares the two samples of a configuration, within each machine where several have measured it. */
export function comparePair(
  { old, new: new_, machines = [] }: SamplePair,
  options?: CompareOptions,
): Comparison {
  return machines.length > 1 ? compareWithinMachines(machines, options) : compareSamples(old, new_, options);
}

/** What chance alone makes of a number of comparisons. */
export function falsePositivesOf(comparisons: number): FalsePositives {
  return { p05: comparisons * 0.05, p01: comparisons * 0.01, p001: comparisons * 0.001 };
}

/** The name under which compare.R lists a comparison: the benchmark and its configuration. */
export function comparisonName(of: { readonly benchmark: string; readonly configuration: string }): string {
  return `${of.benchmark} ${of.configuration}`;
}

/** Puts the warnings of comparisons together that say the same. */
export function warningGroups(comparisons: readonly NamedComparison[]): WarningGroup[] {
  const groups = new Map<string, { kind: ComparisonWarning['kind']; names: string[]; message: string }>();
  for (const comparison of comparisons) {
    for (const { kind, message } of comparison.warnings) {
      const group = groups.get(message);
      const name = comparisonName(comparison);
      if (group === undefined) groups.set(message, { kind, names: [name], message });
      // Both subjects of a comparison may be warned about.
      else if (group.names.at(-1) !== name) group.names.push(name);
    }
  }
  return [...groups.values()];
}
