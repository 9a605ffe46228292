import type { NamedComparison } from './comparison-list.ts';

export const comparisonOrders = ['name', 'effect', 'p'] as const;

/** `effect`: the largest loss first, the largest gain last; `p`: the surest first; `name`: as compare.R. */
export type ComparisonOrder = (typeof comparisonOrders)[number];

/** Sorts comparisons that are in the order of their names; what has no figure comes last. */
export function sortComparisons<Item extends NamedComparison>(
  comparisons: readonly Item[],
  order: ComparisonOrder,
): readonly Item[] {
  if (order === 'name') return comparisons;
  const key = order === 'effect' ? effectOf : pOf;
  return comparisons.toSorted((a, b) => compareKeys(key(a), key(b)));
}

function compareKeys(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

function effectOf({ improvement }: NamedComparison): number {
  return improvement ?? Number.POSITIVE_INFINITY;
}

function pOf({ test }: NamedComparison): number {
  return test.kind === 'none' ? Number.POSITIVE_INFINITY : test.p;
}
