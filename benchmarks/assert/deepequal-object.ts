import assert from 'node:assert';
import { createBenchmark } from '@bench-cli/core';

// Compares two objects with `size` properties, each of which is an object. With `notDeepEqual` the innermost value of the
// last one differs. A failed assertion throws.
createBenchmark(
  ({ n, size, strict, method }, bench) => {
    const properties = (last: number) =>
      Object.fromEntries(
        Array.from({ length: size }, (_, i) => [
          `property${i}`,
          { name: `name ${i}`, position: { x: i, y: i === size - 1 ? last : -i }, tags: ['a', 'b'] },
        ]),
      );
    const actual = properties(1);
    const expected = properties(method === 'deepEqual' ? 1 : 2);
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
  { n: 1e4, size: [100, 25], strict: [0, 1], method: ['deepEqual', 'notDeepEqual'] },
);
