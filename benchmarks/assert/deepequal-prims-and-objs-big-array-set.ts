import assert from 'node:assert';
import { createBenchmark } from '@bench-cli/core';

// Compares large collections of distinct values, which equal those of the other collection only by content. With
// `notDeepEqual` the last element differs. A failed assertion throws.
createBenchmark(
  ({ primitive, n, len, strict, method }, bench) => {
    const element = {
      string: (i: number) => `string ${i}`,
      object: (i: number) => ({ id: i }),
    }[primitive];
    const elements = (last: number) =>
      Array.from({ length: len }, (_, i) => element(i === len - 1 ? last : i));
    const differs = method.startsWith('not');
    const a = elements(len);
    const b = elements(differs ? len + 1 : len);
    const sets = method.endsWith('Set');
    const actual = sets ? new Set(a) : a;
    const expected = sets ? new Set(b) : b;
    const equal = strict ? assert.deepStrictEqual : assert.deepEqual;
    const notEqual = strict ? assert.notDeepStrictEqual : assert.notDeepEqual;
    const check = differs ? notEqual : equal;
    // The first call loads the module of the comparison.
    check(actual, expected);
    bench.start();
    for (let i = 0; i < n; i++) check(actual, expected);
    bench.end(n);
  },
  {
    primitive: ['string', 'object'],
    n: 300,
    len: 2e4,
    strict: [0, 1],
    method: ['deepEqual_Array', 'notDeepEqual_Array', 'deepEqual_Set', 'notDeepEqual_Set'],
  },
);
