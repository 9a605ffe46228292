import { createBenchmark } from '@bench-cli/core';

// Without an argument, toString() uses UTF-8 directly. With one, it first has to find the encoding by its name.
// The sum of the lengths of all strings is checked, so that V8 cannot skip a call.
createBenchmark(
  ({ arg, len, n }, bench) => {
    const buffer = Buffer.alloc(len, 'x');
    let length = 0;
    if (arg === 'true') {
      bench.start();
      for (let i = 0; i < n; i++) length += buffer.toString('utf8').length;
      bench.end(n);
    } else {
      bench.start();
      for (let i = 0; i < n; i++) length += buffer.toString().length;
      bench.end(n);
    }
    if (length !== n * len) throw new Error(`${length} characters, not ${n * len}`);
  },
  { arg: ['true', 'false'], len: [0, 1, 64, 1024], n: 1e7 },
);
