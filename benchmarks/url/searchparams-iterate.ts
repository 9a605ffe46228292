import { createBenchmark } from '@bench-cli/core';

// One operation iterates over all `count` parameters once. The sum of the lengths of names and values is checked.
createBenchmark(
  ({ method, count, n }, bench) => {
    const entries = Array.from({ length: count }, (_, i) => [`name${i}`, `value${i}`]);
    const params = new URLSearchParams(entries);
    const iterate = {
      'for-of': () => {
        let length = 0;
        for (const [name, value] of params) length += name.length + value.length;
        return length;
      },
      forEach: () => {
        let length = 0;
        params.forEach((value, name) => {
          length += name.length + value.length;
        });
        return length;
      },
      'keys-get': () => {
        let length = 0;
        for (const name of params.keys()) length += name.length + (params.get(name)?.length ?? 0);
        return length;
      },
    }[method];
    const expected = iterate();
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += iterate();
    bench.end(n);
    if (expected === 0 || sum !== n * expected) throw new Error('a parameter was left out');
  },
  { method: ['for-of', 'forEach', 'keys-get'], count: [8, 16], n: 1.2e6 },
);
