import { createBenchmark } from '@bench-cli/core';

// Headers with so many names. `construct` makes them from a record, `get` and `has` look each name up, `iterate` sorts and lists them,
// and `append` adds a second value to each name. What an operation finds is checked.
createBenchmark(
  ({ method, names, n }, bench) => {
    const record = Object.fromEntries(
      Array.from({ length: names }, (_, i) => [`x-header-${(i * 7) % names}`, `value ${i}`]),
    );
    const keys = Object.keys(record);
    const headers = new Headers(record);
    const run = {
      construct: () => (new Headers(record).has(keys[0] ?? '') ? names : 0),
      get: () => keys.reduce((sum, key) => sum + (headers.get(key) === null ? 0 : 1), 0),
      has: () => keys.reduce((sum, key) => sum + (headers.has(key) ? 1 : 0), 0),
      iterate: () => {
        let sum = 0;
        // Headers that have not changed would not be sorted again.
        for (const [key] of new Headers(headers)) sum += key === '' ? 0 : 1;
        return sum;
      },
      append: () => {
        const fresh = new Headers(record);
        for (const key of keys) fresh.append(key, 'second');
        return fresh.get(keys[0] ?? '')?.endsWith('second') ? names : 0;
      },
    }[method];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += run();
    bench.end(n);
    if (sum !== n * names) throw new Error(`found ${sum} of ${n * names} headers`);
  },
  { method: ['construct', 'get', 'has', 'iterate', 'append'], names: [4, 32], n: 2e4 },
);
