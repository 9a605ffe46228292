import { closestMatch } from 'leven';

/** The end of an error about an unknown word, with a known word that is like it; empty without one. */
export function suggestion(given: string, known: readonly string[]): string {
  const nearest = closestMatch(given, [...known], { maxDistance: Math.max(1, given.length / 2) });
  return nearest === undefined ? '' : `: did you mean ${nearest || '""'}?`;
}
