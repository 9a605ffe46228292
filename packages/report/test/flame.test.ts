import { expect, it } from 'vitest';
import { flameOf } from '../src/explanation.ts';

const stacks = (...profiles: readonly Readonly<Record<string, number>>[]) =>
  profiles.map(
    (profile) => new Map(Object.entries(profile).map(([path, ns]) => [JSON.stringify(path.split('/')), ns])),
  );

it('joins equal stacks of all profiles, with the mean time of a function and what it calls', () => {
  const flame = flameOf({ old: stacks({ 'a/b': 10, a: 2 }, { 'a/b': 20 }), new: stacks({ 'a/c': 5 }) });
  expect(flame).toEqual({
    name: '',
    old: 16,
    new: 5,
    calls: [
      {
        name: 'a',
        old: 16,
        new: 5,
        calls: [
          { name: 'b', old: 15, new: 0, calls: [] },
          { name: 'c', old: 0, new: 5, calls: [] },
        ],
      },
    ],
  });
});

it('leaves out frames that are too narrow, and nests recursion 60 deep at most', () => {
  const deep = Array.from({ length: 500 }, () => 'f').join('/');
  const flame = flameOf({ old: stacks({ [deep]: 1000, rare: 1 }), new: stacks({ [deep]: 1000 }) });
  expect(flame.calls.map(({ name }) => name)).toEqual(['f']);
  let depth = 0;
  for (let frame = flame.calls[0]; frame !== undefined; frame = frame.calls[0]) depth++;
  expect(depth).toBe(60);
});
