import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tiedGroups } from '../src/ties.ts';

/** The groups of letters in which each pair of the list is tied. */
const groupsOf = (items: string, ...pairs: readonly string[]) =>
  tiedGroups([...items], (a, b) => pairs.includes(a + b)).map((group) => group.join(''));

it('has no group of one item', () => {
  expect(groupsOf('abc')).toEqual([]);
  expect(groupsOf('abcd', 'bd')).toEqual(['bd']);
});

it('orders groups by their items', () => {
  expect(groupsOf('abcd', 'bc', 'ad')).toEqual(['ad', 'bc']);
  expect(groupsOf('abcd', 'cd', 'bd', 'ac', 'ab')).toEqual(['ab', 'ac', 'bd', 'cd']);
});

it('has all pairs that are tied, no others, and no group within another', () => {
  const relation = fc.array(fc.boolean(), { minLength: 15, maxLength: 15 });
  fc.assert(
    fc.property(relation, (bits) => {
      const items = [0, 1, 2, 3, 4, 5];
      const isTied = (a: number, b: number) => bits[(b * (b - 1)) / 2 + a] === true;
      const groups = tiedGroups(items, isTied);
      const pairs = items.flatMap((b) => items.slice(0, b).map((a) => [a, b] as const));
      for (const [a, b] of pairs) {
        expect(groups.some((group) => group.includes(a) && group.includes(b))).toBe(isTied(a, b));
      }
      for (const group of groups) {
        for (const [at, b] of group.entries())
          expect(group.slice(0, at).every((a) => isTied(a, b))).toBe(true);
        expect(groups.filter((other) => new Set(group).isSubsetOf(new Set(other)))).toHaveLength(1);
      }
    }),
    { seed: 1 },
  );
});
