import type { JudgedResults } from '@bench-cli/stats';
import { ASSUMPTION_MESSAGES, SHORT_RUNS_MESSAGE, shortCases } from '@bench-cli/stats/internal';
import { comparisonName } from './comparison-name.ts';

/**
 * The warnings of all comparisons by message, each with the names of its comparisons.
 * @param checksSamples whether to check the assumptions about samples, which doubles the computing time
 */
export function warningGroups(
  { list, recordings }: Pick<JudgedResults, 'list' | 'recordings'>,
  checksSamples = true,
) {
  const short = shortCases(recordings);
  const named = list.comparisons.flatMap((comparison) => {
    const failures = checksSamples ? comparison.assumptions : [];
    const doubts = failures.map(({ kind }) => ({ kind, message: ASSUMPTION_MESSAGES[kind] }));
    const shortRuns = { kind: 'short-runs', message: SHORT_RUNS_MESSAGE } as const;
    const all = [...comparison.warnings, ...doubts, ...(short.has(comparison.key) ? [shortRuns] : [])];
    const name = comparisonName(comparison, list);
    return all.map(({ kind, message }) => ({ kind, message, name }));
  });
  return Array.from(Map.groupBy(named, ({ message }) => message).values()).flatMap((same) => {
    // Both subjects of a comparison may have the same warning.
    const names = [...new Set(same.map(({ name }) => name))];
    return same.slice(0, 1).map(({ kind, message }) => ({ kind, names, message }));
  });
}
