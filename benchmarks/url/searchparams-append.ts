import { createBenchmark } from '@bench-cli/core';

// One operation starts empty, adds `count` parameters, and converts them to a string. With a `url`, each addition also
// updates the query of the URL. The sum of the lengths of the strings is checked.
createBenchmark(
  ({ target, method, count, n }, bench) => {
    const names = Array.from({ length: count }, (_, i) => `name${i}`);
    const values = Array.from({ length: count }, (_, i) => `a value ${i}`);
    const build = () => {
      const params = target === 'url' ? new URL('https://example.org/').searchParams : new URLSearchParams();
      for (let i = 0; i < count; i++) params[method](names[i] ?? '', values[i] ?? '');
      return params.toString().length;
    };
    const expected = build();
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += build();
    bench.end(n);
    if (expected === 0 || sum !== n * expected) throw new Error('a parameter was left out');
  },
  { target: ['alone', 'url'], method: ['append', 'set'], count: [4, 16], n: 5e4 },
);
