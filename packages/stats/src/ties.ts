/** The largest groups of at least two items, all tied with each other. Groups can overlap. */
export function tiedGroups<Item>(
  items: readonly Item[],
  areTied: (earlier: Item, later: Item) => boolean,
): readonly (readonly Item[])[] {
  let groups: readonly ReadonlyMap<number, Item>[] = [];
  for (const [place, item] of items.entries()) {
    const withItem = groups.map(
      (group) => new Map([...[...group].filter(([, earlier]) => areTied(earlier, item)), [place, item]]),
    );
    groups = largest([...groups, ...withItem, new Map([[place, item]])]);
  }
  return groups
    .filter(({ size }) => size > 1)
    .map((group) => [...group])
    .toSorted((a, b) => {
      const at = a.findIndex(([place], index) => place !== b[index]?.[0]);
      return (a[at]?.[0] ?? 0) - (b[at]?.[0] ?? 0);
    })
    .map((group) => group.map(([, item]) => item));
}

function largest<Group extends ReadonlyMap<number, unknown>>(groups: readonly Group[]): readonly Group[] {
  const places = groups.map((group) => new Set(group.keys()));
  const isPart = (group: ReadonlySet<number>, at: number) =>
    places.some((other, index) => group.isSubsetOf(other) && (group.size < other.size || index < at));
  return groups.filter((_, at) => !isPart(places[at] ?? new Set(), at));
}
