import assert from 'node:assert';
import { createBenchmark } from '@bench-cli/core';

// The keys of a map are numbers, objects, or both in turn. A map does not find an object by its content, so the comparison
// has to search for the equal object of each. With `notDeepEqual` the last entry differs. A failed assertion throws.
createBenchmark(
  ({ n, len, strict, method }, bench) => {
    const differs = method.startsWith('not');
    const keys = method.slice(method.indexOf('_') + 1);
    const key = (i: number) => {
      const object = keys === 'objectOnly' || (keys === 'mixed' && i % 2 === 1);
      return object ? { id: i, name: `key ${i}` } : i;
    };
    const map = (last: string) =>
      new Map(Array.from({ length: len }, (_, i) => [key(i), i === len - 1 ? last : `value ${i}`]));
    const actual = map('last');
    const expected = map(differs ? 'other' : 'last');
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
    n: 4e3,
    len: 500,
    strict: [0, 1],
    method: [
      'deepEqual_primitiveOnly',
      'deepEqual_objectOnly',
      'deepEqual_mixed',
      'notDeepEqual_primitiveOnly',
      'notDeepEqual_objectOnly',
      'notDeepEqual_mixed',
    ],
  },
);
