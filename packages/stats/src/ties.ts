interface Placed<Item> {
  readonly item: Item;
  readonly place: number;
}

/**
 * The largest groups of at least two items in which every two are tied, in the order of their items. An item can be in several
 * groups, because being tied is not transitive.
 */
export function tiedGroups<Item>(
  items: readonly Item[],
  areTied: (earlier: Item, later: Item) => boolean,
): readonly (readonly Item[])[] {
  let groups: readonly (readonly Placed<Item>[])[] = [];
  for (const [place, item] of items.entries()) {
    const withItem = groups.map((group) => [
      ...group.filter((earlier) => areTied(earlier.item, item)),
      { item, place },
    ]);
    groups = largest([...groups, ...withItem, [{ item, place }]]);
  }
  return groups
    .filter(({ length }) => length > 1)
    .toSorted(byPlaces)
    .map((group) => group.map(({ item }) => item));
}

/** Leaves out groups that are a part of another one. */
function largest<Item>(groups: readonly (readonly Placed<Item>[])[]): readonly (readonly Placed<Item>[])[] {
  const places = groups.map((group) => new Set(group.map(({ place }) => place)));
  const isPart = (own: ReadonlySet<number>, at: number) =>
    places.some((other, index) => own.isSubsetOf(other) && (own.size < other.size || index < at));
  return groups.filter((_, at) => !isPart(places[at] ?? new Set(), at));
}

function byPlaces<Item>(a: readonly Placed<Item>[], b: readonly Placed<Item>[]): number {
  const at = a.findIndex(({ place }, index) => place !== b[index]?.place);
  return (a[at]?.place ?? 0) - (b[at]?.place ?? 0);
}
