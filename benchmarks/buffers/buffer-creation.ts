import { createBenchmark } from '@bench-cli/core';

// allocUnsafe() takes small buffers from a pool. V8 keeps other buffers of up to 64 bytes in its own heap. The measured
// time includes garbage collection. A byte of each buffer is written and read, so that V8 cannot skip its creation.
createBenchmark(
  ({ type, len, n }, bench) => {
    const create = {
      alloc: () => Buffer.alloc(len),
      'alloc-fill': () => Buffer.alloc(len, 1),
      allocUnsafe: () => Buffer.allocUnsafe(len),
      allocUnsafeSlow: () => Buffer.allocUnsafeSlow(len),
    }[type];
    let sum = 0;
    bench.start();
    for (let i = 0; i < n; i++) {
      const buffer = create();
      buffer[len - 1] = 1;
      sum += buffer[len - 1] ?? 0;
    }
    bench.end(n);
    if (sum !== n) throw new Error(`${sum} buffers, not ${n}`);
  },
  { type: ['alloc', 'alloc-fill', 'allocUnsafe', 'allocUnsafeSlow'], len: [16, 256, 2048], n: 8e5 },
);
