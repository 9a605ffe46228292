import { createBenchmark } from '@bench-cli/core';

// The buffers differ only in their last byte, so that all bytes are compared. The sum of the results is checked.
createBenchmark(
  ({ method, len, n }, bench) => {
    const a = Buffer.alloc(len, 'a');
    const b = Buffer.alloc(len, 'a');
    b[len - 1] = 'b'.charCodeAt(0);
    const compare = {
      compare: () => a.compare(b),
      'Buffer.compare': () => Buffer.compare(a, b),
      equals: () => (a.equals(b) ? 0 : -1),
    }[method];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) sum += compare();
    bench.end(n);
    if (sum !== -n) throw new Error(`the comparisons gave ${sum}, not ${-n}`);
  },
  { method: ['compare', 'Buffer.compare', 'equals'], len: [16, 512, 4096], n: 4e6 },
);
