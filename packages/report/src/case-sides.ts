import type { NamedCase, SubjectPair, SubjectRole } from '@bench-cli/results';

/** One case with what belongs to each subject, the baseline first. */
export interface CaseSides<Item extends Sides> {
  /** The first comparison of the case. */
  readonly first: Item;
  readonly sides: ReadonlyMap<string, Item[SubjectRole]>;
}

type Sides = Pick<NamedCase, 'key'> & SubjectPair & Readonly<Record<SubjectRole, unknown>>;

/** Joins comparisons with the baseline by case, in the order of the first of each case. */
export function caseSides<Item extends Sides>(items: readonly Item[]): readonly CaseSides<Item>[] {
  const cases = new Map<string, { readonly first: Item; readonly sides: Map<string, Item[SubjectRole]> }>();
  for (const item of items) {
    const { first, sides } = cases.get(item.key) ?? {
      first: item,
      sides: new Map([[item.baseline, item.old]]),
    };
    sides.set(item.subject, item.new);
    cases.set(item.key, { first, sides });
  }
  return [...cases.values()];
}
