import { type BenchmarkId, benchmarkName, nameInGroup, readBenchmarkName } from '@bench-cli/results';
import fc from 'fast-check';
import { expect, it } from 'vitest';

it.each<readonly [name: string, id: BenchmarkId]>([
  ['g/a.mjs', { file: 'g/a.mjs', path: [] }],
  ['g/a.mjs > copy > fast', { file: 'g/a.mjs', path: ['copy', 'fast'] }],
  ['g/a.mjs > "a > b" > c', { file: 'g/a.mjs', path: ['a > b', 'c'] }],
  ['g/a.mjs > "a >" > b', { file: 'g/a.mjs', path: ['a >', 'b'] }],
  ['g/a.mjs > """" > ', { file: 'g/a.mjs', path: ['"', ''] }],
])('names a benchmark %s by its file and its path', (name, id) => {
  expect(benchmarkName(id)).toBe(name);
  expect(readBenchmarkName(name)).toEqual(id);
});

it.each([
  ['g/a.mjs > b/c', 'a.mjs > b/c'],
  ['g/h/a.mjs', 'h/a.mjs'],
  ['a.mjs > b/c', 'a.mjs > b/c'],
])('leaves the group out of %s, but no part of a declared name', (name, text) => {
  expect(nameInGroup(name)).toBe(text);
});

it('gives a port in the suite of Node core the name of its file', () => {
  expect(benchmarkName({ file: 'g/_a.node-bench.js', path: ['g/a.js'] })).toBe('g/a.js');
});

it('gives different benchmarks different names', () => {
  const characters = fc.array(fc.constantFrom('a', ' ', '>', '"', '\n'), { maxLength: 6 });
  const part = characters.map((each) => each.join(''));
  fc.assert(
    fc.property(part, fc.array(part, { minLength: 1, maxLength: 3 }), (rest, path) => {
      const file = `g${rest}`;
      expect(readBenchmarkName(benchmarkName({ file, path }))).toEqual({ file, path });
    }),
    { seed: 1, numRuns: 5000 },
  );
});
