/**
 * The order of clients in a round, from 0: each round begins with another client, and every second one goes backwards,
 * so that each has every place in turn and not always the same one before it.
 */
export function rotated<Item>(items: readonly Item[], round: number): readonly Item[] {
  const start = items.length === 0 ? 0 : round % items.length;
  const turned = [...items.slice(start), ...items.slice(0, start)];
  return round % 2 === 0 ? turned : [...turned.slice(0, 1), ...turned.slice(1).reverse()];
}
