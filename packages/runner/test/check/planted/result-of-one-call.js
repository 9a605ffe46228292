import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    const input = JSON.stringify({ a: [1, 2, 3] });
    let last;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      last = input;
    }
    bench.end(conf.n);
    globalThis.last = last;
  },
  { n: 2e6 },
);
