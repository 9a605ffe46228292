import assert from 'node:assert';
import { createBenchmark } from '@bench-cli/core';

// Big collections of values that are all different, and equal to those of the other collection by content only.
// `notDeepEqual` differs in the last element. An assertion that does not hold throws.
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
    // The first call loads the comparison's module.
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
