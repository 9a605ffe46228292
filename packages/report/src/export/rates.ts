import type { ComparisonList } from '@bench-cli/stats';
import { meanHalfWidth } from '@bench-cli/stats/internal';
import { comparisonName } from '../comparison-name.ts';

/** The rates of the subjects after the baseline, with half of their 95 % intervals, for services that keep one value of each benchmark. */
function exportedRates(list: ComparisonList) {
  return list.comparisons.flatMap((each) => {
    if (each.new === null) return [];
    const { mean, n } = each.new;
    return { name: comparisonName(each, list), mean, half: meanHalfWidth(each.new) ?? 0, n };
  });
}

export function bencherJson(list: ComparisonList): string {
  const entries = exportedRates(list).map(({ name, mean: value, half }) => {
    const throughput = { value, lower_value: value - half, upper_value: value + half };
    return [name, { throughput }] as const;
  });
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

/** The input of github-action-benchmark for its tool `customBiggerIsBetter`. */
export function githubActionBenchmarkJson(list: ComparisonList): string {
  const entries = exportedRates(list).map(({ name, mean: value, half, n }) => {
    return { name, unit: 'ops/s', value, range: `± ${half}`, extra: `${n} runs` };
  });
  return `${JSON.stringify(entries, undefined, 2)}\n`;
}
