import assert from 'node:assert';
import { createBenchmark } from '@bench-cli/core';

// Keys of one map: numbers, objects, or the one and the other by turns. Objects are no keys by their content, so for
// each the comparison has to look for its partner. `notDeepEqual` differs in the last entry.
// An assertion that does not hold throws.
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
    // The first call loads the comparison's module.
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
