import type { ComparisonList } from '@bench-cli/stats';
import { meanHalfWidth } from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';
import type { RateGroup } from './rate-groups.ts';

/** A mean rate with half of its 95 % interval. */
interface ExportedRate {
  readonly name: string;
  readonly mean: number;
  readonly half: number;
  readonly n: number;
}

export function exportedRows(groups: readonly RateGroup[]): readonly ExportedRate[] {
  return groups
    .flatMap(({ rows }) => rows)
    .map(({ title: name, rate: mean, interval, summary: { n } }) => {
      return { name, mean, half: interval === null ? 0 : (interval.high - interval.low) / 2, n };
    });
}

/** The rates of the subjects after the baseline, for services that keep one value of each benchmark. */
export function exportedRates(list: ComparisonList): readonly ExportedRate[] {
  return list.comparisons.flatMap((each) => {
    if (each.new === null) return [];
    const { mean, n } = each.new;
    return { name: comparisonName(each, list), mean, half: meanHalfWidth(each.new) ?? 0, n };
  });
}

export function bencherJson(rates: readonly ExportedRate[]): string {
  const entries = rates.map(({ name, mean: value, half }) => {
    const throughput = { value, lower_value: value - half, upper_value: value + half };
    return [name, { throughput }] as const;
  });
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

/** The input of github-action-benchmark for its tool `customBiggerIsBetter`. */
export function githubActionBenchmarkJson(rates: readonly ExportedRate[]): string {
  const entries = rates.map(({ name, mean: value, half, n }) => {
    return { name, unit: 'ops/s', value, range: `± ${half}`, extra: `${n} runs` };
  });
  return `${JSON.stringify(entries, undefined, 2)}\n`;
}
