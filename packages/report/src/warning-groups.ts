import type { Comparison, ComparisonList } from '@bench-cli/stats';
import {
  ASSUMPTION_MESSAGES,
  type AssumptionFailure,
  type ComparisonWarning,
} from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';

export interface WarningGroup {
  readonly kind: ComparisonWarning['kind'] | AssumptionFailure['kind'];
  /** Names (`benchmark configuration`, with the subject if there are several) in the order of the comparisons. */
  readonly names: readonly string[];
  readonly message: string;
}

/**
 * The warnings of all comparisons, grouped by message.
 *
 * @param options `assumptions`: whether to check the assumptions about the samples, which takes as long as the comparisons
 */
export function warningGroups(
  list: ComparisonList,
  { assumptions }: { readonly assumptions: boolean },
): WarningGroup[] {
  const groups = new Map<string, WarningGroup & { readonly names: string[] }>();
  for (const comparison of list.comparisons) {
    for (const { kind, message } of warningsOf(comparison, assumptions)) {
      const group = groups.get(message) ?? { kind, names: [], message };
      groups.set(message, group);
      const name = comparisonName(comparison, list);
      // Both subjects of a comparison may have the same warning.
      if (group.names.at(-1) !== name) group.names.push(name);
    }
  }
  return [...groups.values()];
}

function warningsOf(
  comparison: Comparison,
  assumptions: boolean,
): readonly Pick<WarningGroup, 'kind' | 'message'>[] {
  if (!assumptions) return comparison.warnings;
  return [
    ...comparison.warnings,
    ...comparison.assumptions.map(({ kind }) => ({ kind, message: ASSUMPTION_MESSAGES[kind] })),
  ];
}
