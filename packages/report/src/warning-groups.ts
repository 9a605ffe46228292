import type { ComparisonList } from '@bench-cli/stats';
import { ASSUMPTION_MESSAGES } from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';

/**
 * The warnings of all comparisons, grouped by message, each with the names of its comparisons in their order.
 * @param checksSamples whether to check the assumptions about the samples, which takes as long as the comparisons
 */
export function warningGroups(list: ComparisonList, checksSamples = true) {
  const all = list.comparisons.flatMap((comparison) => {
    const failures = checksSamples ? comparison.assumptions : [];
    const doubts = failures.map(({ kind }) => ({ kind, message: ASSUMPTION_MESSAGES[kind] }));
    const name = comparisonName(comparison, list);
    return [...comparison.warnings, ...doubts].map(({ kind, message }) => ({ kind, message, name }));
  });
  return Array.from(Map.groupBy(all, ({ message }) => message).values()).flatMap((its) => {
    // Both subjects of a comparison may have the same warning.
    const names = [...new Set(its.map(({ name }) => name))];
    return its.slice(0, 1).map(({ kind, message }) => ({ kind, names, message }));
  });
}
