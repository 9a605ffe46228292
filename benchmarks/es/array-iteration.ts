import { createBenchmark } from '@bench-cli/core';

// One operation adds up an array of 1000 numbers, and the total is checked. The elements are small integers or doubles, or
// the array has holes. V8 stores each of these kinds differently.
createBenchmark(
  ({ elements, method, n }, bench) => {
    const length = 1000;
    const array = Array.from({ length }, (_, i) => (elements === 'double' ? i + 0.5 : i));
    if (elements === 'holey') array[length + 1] = length;
    const iterate = {
      for: () => {
        let sum = 0;
        for (let i = 0; i < array.length; i++) sum += array[i] ?? 0;
        return sum;
      },
      'for-of': () => {
        let sum = 0;
        for (const value of array) sum += value ?? 0;
        return sum;
      },
      entries: () => {
        let sum = 0;
        for (const [, value] of array.entries()) sum += value ?? 0;
        return sum;
      },
      forEach: () => {
        let sum = 0;
        array.forEach((value) => {
          sum += value;
        });
        return sum;
      },
      reduce: () => array.reduce((sum, value) => sum + value, 0),
    }[method];
    const expected = iterate();
    let total = 0;
    bench.start();
    for (let i = 0; i < n; i++) total += iterate();
    bench.end(n);
    if (total !== n * expected) throw new Error('an element was left out');
  },
  {
    elements: ['integer', 'double', 'holey'],
    method: ['for', 'for-of', 'entries', 'forEach', 'reduce'],
    n: 1.4e5,
  },
);
