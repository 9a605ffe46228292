import { createBenchmark } from '@bench-cli/core';

createBenchmark(
  (conf, bench) => {
    let last = 0;
    bench.start();
    for (let i = 0; i < conf.n; i++) {
      last = { a: 1, b: 2 }.a;
    }
    bench.end(conf.n);
    globalThis.last = last;
  },
  { n: 2e6 },
);
