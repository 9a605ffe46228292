import { closestMatch } from 'leven';

/** The end of an error about an unknown word, with the known word that it resembles; empty if it resembles none. */
export function suggestion(given: string, known: readonly string[]): string {
  const nearest = closestMatch(given, [...known], { maxDistance: Math.max(1, given.length / 2) });
  return nearest === undefined ? '' : `: did you mean ${nearest || '""'}?`;
}
