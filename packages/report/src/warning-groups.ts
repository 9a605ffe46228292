import type { ComparisonList } from '@bench-cli/stats';
import {
  ASSUMPTION_MESSAGES,
  type AssumptionFailure,
  type ComparisonWarning,
} from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';

interface WarningGroup {
  readonly kind: ComparisonWarning['kind'] | AssumptionFailure['kind'];
  /** Names (`benchmark configuration`, with the subject if there are several) in the order of the comparisons. */
  readonly names: string[];
  readonly message: string;
}

/**
 * The warnings of all comparisons, grouped by message.
 * @param checksSamples whether to check the assumptions about the samples, which takes as long as the comparisons
 */
export function warningGroups(list: ComparisonList, checksSamples = true): readonly WarningGroup[] {
  const groups = new Map<string, WarningGroup>();
  for (const comparison of list.comparisons) {
    const failures = checksSamples ? comparison.assumptions : [];
    const doubts = failures.map(({ kind }) => ({ kind, message: ASSUMPTION_MESSAGES[kind] }));
    for (const { kind, message } of [...comparison.warnings, ...doubts]) {
      const group = groups.get(message) ?? { kind, names: [], message };
      groups.set(message, group);
      const name = comparisonName(comparison, list);
      // Both subjects of a comparison may have the same warning.
      if (group.names.at(-1) !== name) group.names.push(name);
    }
  }
  return [...groups.values()];
}
