import type { Verdict } from './comparison.ts';
import { parameterValue, parseConfiguration } from '@bench-cli/results';
import type { DetailedComparison } from './detailed-comparison.ts';
import { meansOf } from './machine.ts';
import { nameOrder } from '@bench-cli/results';
import type { RatioInterval } from './ratio.ts';
import { type SquaredError, satterthwaite, sumOfErrors } from './satterthwaite.ts';
import { criticalT } from './student-t.ts';

/** The comparisons that share the values of some parameters. */
export interface ComparisonGroup {
  /** The values, by name, in the order in which the names were given. */
  readonly values: Readonly<Record<string, string>>;
  readonly comparisons: number;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  /** Geometric mean of the ratios of the means; null when a comparison has none, or none has an interval. */
  readonly ratio: RatioInterval | null;
}

/**
 * Summarizes comparisons by the values of parameters; `benchmark` stands for the benchmark's name. A comparison
 * that lacks a parameter is in the group with the value `-`.
 */
export function groupComparisons(
  comparisons: readonly DetailedComparison[],
  names: readonly string[],
): ComparisonGroup[] {
  const groups = new Map<string, { values: string[]; members: DetailedComparison[] }>();
  for (const comparison of comparisons) {
    const parameters = parseConfiguration(comparison.configuration);
    const values = names.map((name) => String(parameterValue(comparison.benchmark, parameters, name) ?? '-'));
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { values, members: [] };
    group.members.push(comparison);
    groups.set(key, group);
  }
  const order = nameOrder();
  return [...groups.values()]
    .sort((a, b) => compareValues(a.values, b.values, order))
    .map(({ values, members }) => ({
      values: Object.fromEntries(names.map((name, at) => [name, values[at] ?? '-'])),
      comparisons: members.length,
      verdicts: verdictCounts(members),
      ratio: meanRatio(members),
    }));
}

/** How many comparisons have which verdict. */
export function verdictCounts(
  comparisons: readonly { readonly verdict: Verdict }[],
): Record<Verdict, number> {
  const counts = { faster: 0, slower: 0, 'no difference': 0, undecided: 0 };
  for (const { verdict } of comparisons) counts[verdict]++;
  return counts;
}

/**
 * The geometric mean of the ratios of comparisons, with its 95 % interval for just these configurations: it reflects
 * the noise of the runs, not which configurations were chosen.
 *
 * Method: the logarithms of the means have the variance s^2 / (n mean^2) (delta method); degrees of freedom by
 * Welch and Satterthwaite.
 */
export function meanRatio(comparisons: readonly DetailedComparison[]): RatioInterval | null {
  const logs: number[] = [];
  const errors: SquaredError[] = [];
  for (const comparison of comparisons) {
    const means = meansOf(comparison);
    if (means === null || !(means.ratio > 0)) return null;
    const { ratio, oldErrors, newErrors } = means;
    logs.push(Math.log(ratio));
    errors.push(...oldErrors, ...newErrors.map(({ value, df }) => ({ value: value / ratio / ratio, df })));
  }
  if (logs.length === 0) return null;
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  const total = sumOfErrors(errors);
  if (total === 0) return { ratio: Math.exp(mean), low: Math.exp(mean), high: Math.exp(mean) };
  const half = (criticalT(0.05, satterthwaite(errors)) * Math.sqrt(total)) / logs.length;
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

function compareValues(
  a: readonly string[],
  b: readonly string[],
  order: (a: string, b: string) => number,
): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? '';
    const difference = Number(value) - Number(other);
    const result = Number.isNaN(difference) ? order(value, other) : difference;
    if (result !== 0) return result;
  }
  return 0;
}
