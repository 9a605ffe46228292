import querystring from 'node:querystring';
import { createBenchmark } from '@bench-cli/core';

// Uses 16 query strings of each kind in turn. One value of every result is read, and the sum of the lengths is checked.
createBenchmark(
  ({ type, method, n }, bench) => {
    const query = {
      few: (i: number) => `last=1&page=${i}`,
      many: (i: number) =>
        `last=1&${Array.from({ length: 20 }, (_, k) => `key${k}=value${k + i}`).join('&')}`,
      repeated: (i: number) => `last=1&${'tag=a&'.repeat(10)}tag=${i}`,
      escapes: (i: number) => `last=1&q=%C3%A9t%C3%A9+${i}&to=https%3A%2F%2Fexample.org%2F%3Fa%3D${i}`,
    }[type];
    const queries = Array.from({ length: 16 }, (_, i) => query(i));
    const read = {
      URLSearchParams: (text: string) => new URLSearchParams(text).get('last')?.length ?? 0,
      querystring: (text: string) => querystring.parse(text)['last']?.length ?? 0,
    }[method];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += read(queries[i & 15] ?? '');
    bench.end(n);
    if (sum !== n) throw new Error(`${sum} values, not ${n}`);
  },
  { type: ['few', 'many', 'repeated', 'escapes'], method: ['URLSearchParams', 'querystring'], n: 3e5 },
);
