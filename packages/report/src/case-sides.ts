import type { NamedCase, SubjectPair, SubjectRole } from '@bench-cli/results';

type Sides = Pick<NamedCase, 'key'> & SubjectPair & Readonly<Record<SubjectRole, unknown>>;

/** The sides of each case by subject, the baseline first, in the order of the comparisons. */
export function caseSides<Item extends Sides>(items: readonly Item[]) {
  return Array.from(Map.groupBy(items, ({ key }) => key).values()).flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const sides = new Map<string, Item[SubjectRole]>([[first.baseline, first.old]]);
    for (const item of [first, ...others]) sides.set(item.subject, item.new);
    return { first, sides };
  });
}
