import { createBenchmark } from '@bench-cli/core';

// Destructures 64 values in turn. The sum of the parts is checked, so that V8 cannot skip one. An array pattern uses the
// iterator of the array, an object pattern does not. A rest element or a default adds to the cost of both.
createBenchmark(
  ({ method, n }, bench) => {
    const arrays = Array.from({ length: 64 }, (_, i) => [i, i + 1, i + 2] satisfies [number, number, number]);
    const objects = arrays.map(([a, b, c]) => ({ a, b, c }));
    const sum = {
      index: (i: number) => {
        const array = arrays[i] ?? [0, 0, 0];
        return array[0] + array[1] + array[2];
      },
      array: (i: number) => {
        const [a, b, c] = arrays[i] ?? [0, 0, 0];
        return a + b + c;
      },
      'array-rest': (i: number) => {
        const [a, ...rest] = arrays[i] ?? [0, 0, 0];
        return a + rest[0] + rest[1];
      },
      property: (i: number) => {
        const object = objects[i] ?? { a: 0, b: 0, c: 0 };
        return object.a + object.b + object.c;
      },
      object: (i: number) => {
        const { a, b, c } = objects[i] ?? { a: 0, b: 0, c: 0 };
        return a + b + c;
      },
      'object-default': (i: number) => {
        const { a = 1, b = 2, c = 3 } = objects[i] ?? {};
        return a + b + c;
      },
      'object-rest': (i: number) => {
        const { a, ...rest } = objects[i] ?? { a: 0, b: 0, c: 0 };
        return a + rest.b + rest.c;
      },
    }[method];
    let total = 0;
    bench.start();
    for (let i = 0; i < n; i++) total += sum(i & 63);
    bench.end(n);
    if (total < n) throw new Error('a part was left out');
  },
  {
    method: ['index', 'array', 'array-rest', 'property', 'object', 'object-default', 'object-rest'],
    n: 2e7,
  },
);
