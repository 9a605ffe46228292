import { counted } from '@bench-cli/results';
import type { ComparisonList } from '@bench-cli/stats';
import { meanHalfWidth } from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';
import type { RateGroup } from './rate-groups.ts';

/** A mean rate with half of its 95 % interval, which is unknown (null) for one run. */
interface ExportedRate {
  readonly name: string;
  readonly mean: number;
  readonly half: number | null;
  readonly n: number;
}

export function exportedRows(groups: readonly RateGroup[]): readonly ExportedRate[] {
  const rows = groups.flatMap((group) => group.rows);
  return rows.map(({ title: name, rate: mean, interval, summary: { n } }) => {
    return { name, mean, half: interval && (interval.high - interval.low) / 2, n };
  });
}

/** The rates of the subjects after the baseline, for services that keep one value of each benchmark. */
export function exportedRates(list: ComparisonList): readonly ExportedRate[] {
  return list.comparisons.flatMap((each) => {
    if (each.new === null) return [];
    const { mean, n } = each.new;
    return { name: comparisonName(each, list), mean, half: meanHalfWidth(each.new), n };
  });
}

export function bencherJson(rates: readonly ExportedRate[]): string {
  const entries = rates.map(({ name, mean: value, half }) => {
    const bounds = half !== null && { lower_value: Math.max(0, value - half), upper_value: value + half };
    return [name, { throughput: { value, ...bounds } }] as const;
  });
  return `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`;
}

/** The input of github-action-benchmark for its tool `customBiggerIsBetter`. */
export function githubActionBenchmarkJson(rates: readonly ExportedRate[]): string {
  const entries = rates.map(({ name, mean: value, half, n }) => {
    const range = half !== null && { range: `± ${half}` };
    return { name, unit: 'ops/s', value, ...range, extra: counted(n, 'run') };
  });
  return `${JSON.stringify(entries, undefined, 2)}\n`;
}
