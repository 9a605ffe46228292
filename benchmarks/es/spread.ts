import { createBenchmark } from '@bench-cli/core';

// Ways to forward arguments, and to copy an array or an object. Uses 16 lists in turn. The sum of one element of each result
// is checked.
createBenchmark(
  ({ method, count, n }, bench) => {
    const lists = Array.from({ length: 16 }, () => Array.from({ length: count }, () => 1));
    const objects = lists.map((list) => Object.fromEntries(list.map((value, k) => [`key${k}`, value])));
    const last = count - 1;
    const noNumbers: number[] = [];
    const collect = (...values: number[]) => values[last] ?? 0;
    const copy = {
      'call-spread': (i: number) => collect(...(lists[i] ?? [])),
      'call-apply': (i: number) => Reflect.apply(collect, undefined, lists[i] ?? []),
      'array-spread': (i: number) => [...(lists[i] ?? [])][last] ?? 0,
      'array-slice': (i: number) => lists[i]?.slice()[last] ?? 0,
      'array-concat': (i: number) => noNumbers.concat(lists[i] ?? [])[last] ?? 0,
      'object-spread': (i: number) => ({ ...objects[i] })['key0'] ?? 0,
      'object-assign': (i: number) => Object.assign({}, objects[i])['key0'] ?? 0,
    }[method];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += copy(i & 15);
    bench.end(n);
    if (sum !== n) throw new Error(`${sum} copies, not ${n}`);
  },
  {
    method: [
      'call-spread',
      'call-apply',
      'array-spread',
      'array-slice',
      'array-concat',
      'object-spread',
      'object-assign',
    ],
    count: [4, 16],
    n: 4.2e6,
  },
);
