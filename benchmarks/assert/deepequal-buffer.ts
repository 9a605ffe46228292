import assert from 'node:assert';
import { createBenchmark } from '@bench-cli/core';

// Compares two buffers that are equal or differ in their last byte. A failed assertion throws.
createBenchmark(
  ({ n, len, strict, method }, bench) => {
    const actual = Buffer.alloc(len, 'a');
    const expected = Buffer.from(actual);
    if (method === 'notDeepEqual') expected[len - 1] = 'b'.charCodeAt(0);
    const check = {
      deepEqual: strict ? assert.deepStrictEqual : assert.deepEqual,
      notDeepEqual: strict ? assert.notDeepStrictEqual : assert.notDeepEqual,
    }[method];
    // The first call loads the module of the comparison.
    check(actual, expected);
    bench.start();
    for (let i = 0; i < n; i++) check(actual, expected);
    bench.end(n);
  },
  { n: 6e5, len: [100, 1000], strict: [0, 1], method: ['deepEqual', 'notDeepEqual'] },
);
