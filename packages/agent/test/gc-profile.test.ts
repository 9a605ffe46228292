import { describe, expect, it } from 'vitest';
import { collectionsBefore, grownBytes } from '../src/metric/gc-profile.ts';

describe('alloc', () => {
  it('is the growth of the spaces of the heap between collections', () => {
    const used = (young: number, old: number) => new Map(Object.entries({ young, old }));
    expect(grownBytes(used(100, 1000), [], used(150, 1200))).toBe(250);
    const collections = [
      { before: used(300, 1000), after: used(0, 1040) },
      { before: used(280, 1040), after: used(10, 1050) },
    ];
    expect(grownBytes(used(100, 1000), collections, used(20, 1100))).toBe(200 + 280 + 60);
  });

  it('is not negative if pages of a collection before the measured part are swept in it', () => {
    const [before, after] = [new Map([['old', 9_000_000]]), new Map([['old', 8_529_000]])];
    expect(grownBytes(before, [], after)).toBe(0);
  });

  it('has no code in it, for which V8 reserves memory whenever it compiles', () => {
    const used = (bytes: number) =>
      new Map(
        ['old_space', 'code_space', 'trusted_space', 'code_large_object_space'].map((name) => [name, bytes]),
      );
    expect(grownBytes(used(0), [], used(1000))).toBe(1000);
  });

  it('does not count twice what is collected while it is read', () => {
    const used = (bytes: number) => new Map([['new_space', bytes]]);
    expect(collectionsBefore(used(900), used(950), ['first', 'second'])).toEqual(['first', 'second']);
    expect(collectionsBefore(used(900), used(50), ['first', 'second'])).toEqual(['first']);
  });
});
