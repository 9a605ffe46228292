import { createBenchmark } from '@bench-cli/core';

const type = ['Uint8Array', 'Float64Array'] as const;

// One operation processes an array of 1024 numbers: element by element in JavaScript, or in one call of the runtime. One
// element changes before each operation, so that results cannot be reused. The sum of one number per result is checked.
createBenchmark(
  ({ type, method, n }, bench) => {
    const length = 1024;
    const make = {
      Uint8Array: () => new Uint8Array(length),
      Float64Array: () => new Float64Array(length),
    }[type];
    const source = make();
    const target = make();
    const work = {
      index: () => {
        let sum = 0;
        for (let k = 0; k < source.length; k++) sum += source[k] ?? 0;
        return sum;
      },
      'for-of': () => {
        let sum = 0;
        for (const value of source) sum += value;
        return sum;
      },
      set: () => {
        target.set(source);
        return target[0] ?? 0;
      },
      slice: () => source.slice()[0] ?? 0,
      subarray: () => source.subarray(0, length - 1)[0] ?? 0,
      fill: (value: number) => {
        target.fill(value);
        return target[length - 1] ?? 0;
      },
    }[method];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) {
      const value = (i & 63) + 1;
      source[0] = value;
      sum += work(value);
    }
    bench.end(n);
    if (sum < n) throw new Error('an operation did nothing');
  },
  {
    elements: { type, method: ['index', 'for-of'], n: 1.5e5 },
    bytes: { type, method: ['set', 'fill', 'subarray'], n: 3.5e6 },
    copy: { type, method: 'slice', n: 4e5 },
  },
  { byGroups: true },
);
