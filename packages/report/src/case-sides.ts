import type { NamedCase, SubjectPair, SubjectRole } from '@bench-cli/results';
import type { Comparison } from '@bench-cli/stats';

type Sides = Pick<NamedCase, 'key'> & SubjectPair & Readonly<Record<SubjectRole, unknown>>;

/**
 * Joins comparisons with the baseline by case, in the order of the first of each case: what belongs to each subject, the baseline first.
 */
export function caseSides<Item extends Sides>(items: readonly Item[]) {
  return Array.from(Map.groupBy(items, ({ key }) => key).values()).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const sides = new Map<string, Item[SubjectRole]>([[first.baseline, first.old]]);
    for (const item of [first, ...others]) sides.set(item.subject, item.new);
    return { first, sides };
  });
}

/** The rate of a subject beside the ratio of a comparison: that of the runs that the ratio is made of. Null without a run. */
export function meanRate(comparison: Comparison, side: SubjectRole): number | null {
  const { judgement } = comparison;
  const means = judgement.method === 'sequential' ? judgement.means : null;
  return means?.[side] ?? comparison[side]?.mean ?? null;
}
