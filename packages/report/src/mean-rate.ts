import type { SubjectRole } from '@bench-cli/results';
import type { Comparison } from '@bench-cli/stats';

/** The rate of a subject beside the ratio of a comparison: that of the runs that the ratio is made of. Null without a run. */
export function meanRate(comparison: Comparison, side: SubjectRole): number | null {
  const { judgement } = comparison;
  const means = judgement.method === 'sequential' ? judgement.means : null;
  return means?.[side] ?? comparison[side]?.mean ?? null;
}
