const taken = new Set<string>();

/**
 * The path of a benchmark in a file of a tool whose benchmarks need no different names.
 * @param path its names, which earlier ones can have, too
 * @param other another path in place of one that an earlier benchmark has; default: the number of the benchmark is the last name
 * @param params with which it is declared; others can have the same path
 */
export function uniquePath(
  path: readonly string[],
  other: (taken: readonly string[], count: number) => readonly string[] = (_, count) => [
    ...path,
    `bench ${count}`,
  ],
  params: object = {},
): readonly string[] {
  const keyOf = (unique: readonly string[]) => JSON.stringify([unique, params]);
  let unique = path;
  for (let count = 2; taken.has(keyOf(unique)); count++) unique = other(unique, count);
  taken.add(keyOf(unique));
  return unique;
}
